import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countedEntries } from '../../contract/addresses/address-file.ts'
import { openAddressFile } from '../addresses/file-text.ts'
import { messageOf } from '../api/client.ts'
import { addSuppressions, suppressionsKey } from '../api/suppressions.ts'
import { toast } from '../ui/toast-store.ts'
import { entriesToAdd, problemWith, type ReadFile } from './add-entries.ts'
import { addedWords } from './added-words.ts'

/** What is about to be added. It outlives the dialog: closed by mistake, nothing typed is lost. */
export function useAddForm(onAdded: () => void) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly ReadFile[]>([])
  const [error, setError] = useState<string | null>(null)

  const adding = useMutation({
    mutationFn: addSuppressions,
    onSuccess: (answer) => {
      setText('')
      setFiles([])
      onAdded()
      toast(addedWords(answer))
      void client.invalidateQueries({ queryKey: suppressionsKey })
    },
    onError: (failure) => setError(messageOf(failure, 'There was an error adding these addresses')),
  })

  const readFile = async (file: File): Promise<void> => {
    const opened = await openAddressFile(file)
    if (opened.error !== undefined) return setError(opened.error)
    const rows = { read: 0, empty: 0 }
    const entries = [...countedEntries(opened, rows)]
    if (entries.length === 0) return setError(`There is no address in ${file.name}.`)
    const read: ReadFile = { name: file.name, entries, emptyRows: rows.empty }
    // A file that is chosen again, perhaps mended, takes its own place.
    setFiles((known) => [...known.filter(({ name }) => name !== file.name), read])
  }

  return {
    text,
    files,
    error,
    isPending: adding.isPending,
    type: (next: string) => {
      setText(next)
      setError(null)
    },
    read: async (chosen: readonly File[]) => {
      setError(null)
      for (const file of chosen) await readFile(file)
    },
    drop: (file: ReadFile) => {
      setFiles((known) => known.filter((other) => other !== file))
      setError(null)
    },
    submit: () => {
      if (adding.isPending) return
      const entries = entriesToAdd(text, files)
      const problem = problemWith(entries)
      setError(problem)
      if (problem === null) adding.mutate(entries)
    },
  }
}
