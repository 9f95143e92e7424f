import { useState } from 'react'
import { entriesOfFile, FILE_MAX_BYTES, isTable, textOf } from './address-file.ts'
import type { Composer } from './use-composer.ts'
import { number, plural } from './words.ts'

export type FileReport = { kind: 'read' | 'failed'; words: string }

/** Reads dropped or chosen files of addresses, and tells what was in them. */
export function useAddressFile({ readRecipients }: Composer) {
  const [report, setReport] = useState<FileReport | null>(null)

  const readFile = async (file: File): Promise<FileReport> => {
    if (file.size > FILE_MAX_BYTES)
      return failed(`${file.name} is larger than 32 MB. Please split it, or leave out columns.`)
    const bytes = await file.arrayBuffer().catch(() => null)
    if (!bytes) return failed(`${file.name} could not be read. Was it moved or changed meanwhile?`)
    const text = textOf(new Uint8Array(bytes))
    if (text.includes('\0')) return failed(`${file.name} is not a text. Please save the list as CSV.`)
    const rows = { read: 0, empty: 0 }
    const { added, duplicates } = await readRecipients(counted(text, isTable(file.name, file.type), rows))
    if (rows.read === 0) return failed(`There is no address in ${file.name}.`)
    return {
      kind: 'read',
      words: [
        `${number(rows.read)} ${plural(rows.read, 'address', 'addresses')} read from ${file.name}`,
        added !== rows.read && `${number(added)} added`,
        duplicates > 0 && `${number(duplicates)} already in the list`,
        rows.empty > 0 && `${number(rows.empty)} ${plural(rows.empty, 'row', 'rows')} without an address`,
      ]
        .filter(Boolean)
        .join(' · '),
    }
  }

  return {
    report,
    forget: () => setReport(null),
    read: async (files: readonly File[]) => {
      for (const file of files) setReport(await readFile(file))
    },
  }
}

const failed = (words: string): FileReport => ({ kind: 'failed', words })

function* counted(text: string, isCsv: boolean, rows: { read: number; empty: number }): Generator<string> {
  for (const entry of entriesOfFile(text, isCsv)) {
    if (entry === null) rows.empty += 1
    else {
      rows.read += 1
      yield entry
    }
  }
}
