import { entriesOf } from '../../contract/addresses/entries.ts'
import { SUPPRESSIONS_MAX } from '../../contract/suppressions.ts'
import { counted, inWords } from '../ui/words.ts'

/** A file that has been read, and waits to be added with what was typed. */
export interface ReadFile {
  name: string
  entries: string[]
  emptyRows: number
}

/** What was typed and what the files held, each entry once: nobody is told twice that one is wrong. */
export function entriesToAdd(text: string, files: readonly ReadFile[]): string[] {
  const all = new Set(entriesOf(text))
  for (const { entries } of files) for (const entry of entries) all.add(entry)
  return [...all]
}

/** Why these cannot be sent, or null. */
export function problemWith(entries: readonly string[]): string | null {
  if (entries.length === 0) return 'Please enter at least one address, or choose a file.'
  if (entries.length > SUPPRESSIONS_MAX)
    return `These are ${inWords(entries.length)} addresses. Please add at most ${inWords(SUPPRESSIONS_MAX)} at a time.`
  return null
}

export const fileWords = ({ name, entries, emptyRows }: ReadFile): string =>
  [
    `${counted(entries.length, 'address', 'addresses')} from ${name}`,
    emptyRows > 0 && `${counted(emptyRows, 'row')} without an address`,
  ]
    .filter(Boolean)
    .join(' · ')
