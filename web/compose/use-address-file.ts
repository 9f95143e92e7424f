import { useState } from 'react'
import { countedEntries } from '../../contract/addresses/address-file.ts'
import { openAddressFile } from '../addresses/file-text.ts'
import { counted, inWords } from '../ui/words.ts'
import type { Composer } from './use-composer.ts'

export type FileReport = { kind: 'read' | 'failed'; words: string }

/** Reads dropped or chosen files of addresses, and tells what was in them. */
export function useAddressFile({ readRecipients, takeIn, list }: Composer) {
  const [reports, setReports] = useState<readonly FileReport[]>([])

  const readFile = async (file: File): Promise<FileReport> => {
    const opened = await openAddressFile(file)
    if (opened.error !== undefined) return failed(opened.error)
    const rows = { read: 0, empty: 0 }
    const { added, duplicates } = await readRecipients(countedEntries(opened, rows))
    if (rows.read === 0) return failed(`There is no address in ${file.name}.`)
    return {
      kind: 'read',
      words: [
        `${counted(rows.read, 'address', 'addresses')} read from ${file.name}`,
        added !== rows.read && `${inWords(added)} added`,
        duplicates > 0 && `${inWords(duplicates)} already in the list`,
        rows.empty > 0 && `${counted(rows.empty, 'row')} without an address`,
      ]
        .filter(Boolean)
        .join(' · '),
    }
  }

  return {
    reports,
    forget: () => setReports([]),
    read: (files: readonly File[]) => {
      // What was read before is old news, unless it is still being read.
      if (!list.view().isReading) setReports([])
      return takeIn(async () => {
        for (const file of files) {
          const report = await readFile(file)
          setReports((known) => failuresFirst([...known, report]))
        }
      })
    },
  }
}

/** Among many that were read, one that was not is easily overlooked. */
const failuresFirst = (reports: readonly FileReport[]): readonly FileReport[] =>
  reports.toSorted((one, other) => Number(other.kind === 'failed') - Number(one.kind === 'failed'))

const failed = (words: string): FileReport => ({ kind: 'failed', words })
