import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { countedEntries } from '../../contract/addresses/address-file.ts'
import { openAddressFile } from '../addresses/file-text.ts'
import { messageOf } from '../api/client.ts'
import { readAgain } from '../api/read-again.ts'
import { addSuppressions, suppressionsKey } from '../api/suppressions.ts'
import { toast } from '../ui/toast-store.ts'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { entriesToAdd, problemWith, type ReadFile } from './add-entries.ts'
import { addedWords } from './added-words.ts'
import { useIsLeft } from './use-is-left.ts'

const NOT_ADDED = Promise.resolve(false)

/**
 * What is about to be added. It outlives the dialog: closed by mistake, nothing typed is lost. With the screen it would
 * be, so whoever leaves that is asked.
 */
export function useAddForm(onAdded: () => void) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly ReadFile[]>([])
  const [error, setError] = useState<string | null>(null)
  const [isReading, setIsReading] = useState(false)
  /** True at once, unlike what is drawn, and for as long as any is read: more may be dropped meanwhile. */
  const reads = useRef(0)
  /** Whether what is under way comes onto the list. */
  const answer = useRef(NOT_ADDED)
  const isLeft = useIsLeft()

  const adding = useMutation({
    mutationFn: ({ entries }: { entries: string[]; files: readonly ReadFile[] }) => addSuppressions(entries),
    onSuccess: (answer, added) => {
      setText('')
      setFiles((known) => known.filter((file) => !added.files.includes(file)))
      onAdded()
      toast(addedWords(answer))
      readAgain(client, { queryKey: suppressionsKey })
    },
    onError: (failure) => {
      const words = messageOf(failure, 'There was an error adding these addresses')
      if (isLeft.current) toast({ title: 'Failed to Add', description: words, variant: 'destructive' })
      else setError(words)
    },
    onSettled: () => {
      answer.current = NOT_ADDED
    },
  })

  const isEmpty = text.trim() === '' && files.length === 0 && !isReading
  const guard = useLeaveGuard({
    // A search or a filter changes the address, and the form stays.
    isSafe: (to) => isEmpty || to?.pathname === window.location.pathname,
    save: () => answer.current,
  })

  const readFile = async (file: File): Promise<void> => {
    // Several may fail, and each is told of.
    const fail = (words: string) => setError((known) => (known === null ? words : `${known} ${words}`))
    const opened = await openAddressFile(file)
    if (opened.error !== undefined) return fail(opened.error)
    const rows = { read: 0, empty: 0 }
    const entries = [...countedEntries(opened, rows)]
    if (entries.length === 0) return fail(`There is no address in ${file.name}.`)
    const read: ReadFile = { name: file.name, entries, emptyRows: rows.empty }
    // A file that is chosen again, perhaps mended, takes its own place.
    setFiles((known) => [...known.filter(({ name }) => name !== file.name), read])
  }

  return {
    text,
    files,
    error,
    guard,
    isPending: adding.isPending,
    /** Nobody should add the half of what they chose. */
    isReading,
    type: (next: string) => {
      setText(next)
      setError(null)
    },
    read: async (chosen: readonly File[]) => {
      if (adding.isPending) return
      // What was wrong before is old news, unless it is still being read.
      if (reads.current === 0) setError(null)
      reads.current += 1
      setIsReading(true)
      try {
        for (const file of chosen) await readFile(file)
      } finally {
        reads.current -= 1
        setIsReading(reads.current > 0)
      }
    },
    drop: (file: ReadFile) => {
      setFiles((known) => known.filter((other) => other !== file))
      setError(null)
    },
    submit: () => {
      // Whoever is asked answers first.
      if (adding.isPending || reads.current > 0 || guard.isAsking) return
      const entries = entriesToAdd(text, files)
      const problem = problemWith(entries)
      setError(problem)
      if (problem !== null) return
      answer.current = adding.mutateAsync({ entries, files }).then(
        () => true,
        () => false,
      )
    },
  }
}
