import { entriesOfFile, FILE_MAX_BYTES, isTable, textOf } from './address-file.ts'

/** A list of addresses that somebody chose or dropped; `error` says why it cannot be read. */
export type OpenedFile = { text: string; isCsv: boolean; error?: never } | { error: string }

export const ADDRESS_FILES = '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values'

export async function openAddressFile(file: File): Promise<OpenedFile> {
  if (file.size > FILE_MAX_BYTES)
    return { error: `${file.name} is larger than 32 MB. Please split it, or leave out columns.` }
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return { error: `${file.name} could not be read. Was it moved or changed meanwhile?` }
  const text = textOf(new Uint8Array(bytes))
  if (text.includes('\0')) return { error: `${file.name} is not a text. Please save the list as CSV.` }
  return { text, isCsv: isTable(file.name, file.type) }
}

/** The entries of a file, one at a time; `rows` tells afterwards how many there were, and how many had none. */
export function* countedEntries(
  { text, isCsv }: Extract<OpenedFile, { text: string }>,
  rows: { read: number; empty: number },
): Generator<string> {
  for (const entry of entriesOfFile(text, isCsv)) {
    if (entry === null) rows.empty += 1
    else {
      rows.read += 1
      yield entry
    }
  }
}
