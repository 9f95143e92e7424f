import { countedEntries, readAddressText } from '../../contract/addresses/address-file.ts'

/** A file that somebody sent. */
export type ListFile = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }

/** The first entries of a file, whether there are more, and how many rows had none; or why it is no list. */
export type AddressList =
  | { entries: string[]; isMore: boolean; emptyRows: number; error?: never }
  | { error: string }

/** Takes as long as it takes: see `readList`. */
export function addressListOf({ name, type, bytes }: ListFile, most: number): AddressList {
  const file = readAddressText(name, type, bytes)
  if (file.error !== undefined) return { error: file.error }
  const rows = { read: 0, empty: 0 }
  const entries: string[] = []
  for (const entry of countedEntries(file, rows)) {
    if (entries.length >= most) return { entries: [], isMore: true, emptyRows: rows.empty }
    entries.push(entry)
  }
  return { entries, isMore: false, emptyRows: rows.empty }
}
