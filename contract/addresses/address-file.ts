import { rowsOf } from './csv.ts'
import { entriesOf } from './entries.ts'

/** 100,000 people with a good dozen columns; beyond that it is no list of addresses. */
export const FILE_MAX_BYTES = 32 * 1024 * 1024
const LOOKED_AT = 200
const ADDRESS_TITLE = /e-?mail|address|adresse|correo/i

export const isTable = (name: string, type: string): boolean =>
  /\.(csv|tsv)$/i.test(name) || /csv|tab-separated/.test(type)

/** As text: UTF-8 and UTF-16 by their marks, and what Excel writes in the West where it is not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A file of addresses as a text; `error` says in a sentence why it is none. */
export type AddressText = { text: string; isCsv: boolean; error?: never } | { error: string }

export function readAddressText(name: string, type: string, bytes: Uint8Array): AddressText {
  const text = textOf(bytes)
  if (text.includes('\0')) return { error: `${name} is not a text. Please save the list as CSV.` }
  return { text, isCsv: isTable(name, type) }
}

/** Which column holds the addresses: where most cells of the first rows have an @; of equals the one that says so. */
function addressColumnOf(rows: readonly (readonly string[])[]): number {
  const width = Math.max(0, ...rows.map((row) => row.length))
  let best = { column: 0, score: 0 }
  for (let column = 0; column < width; column++) {
    const cells = rows.map((row) => row[column] ?? '')
    const found = cells.filter((cell) => cell.includes('@')).length
    const score = found + (found > 0 && ADDRESS_TITLE.test(cells[0] ?? '') ? 0.5 : 0)
    if (score > best.score) best = { column, score }
  }
  return best.column
}

/** An entry, or null for a row that has none: a title, an empty cell, a person without an address. */
export function* entriesOfFile(text: string, isCsv: boolean): Generator<string | null> {
  if (!isCsv) {
    yield* entriesOf(text)
    return
  }
  const column = addressColumnOf([...firstOf(rowsOf(text), LOOKED_AT)])
  let isFirst = true
  for (const row of rowsOf(text)) {
    const cell = row[column] ?? ''
    if (cell.includes('@')) yield* entriesOf(cell)
    else if (!isFirst && row.some((other) => other !== '')) yield null
    isFirst = false
  }
}

/** The entries of a file, one at a time; `rows` tells afterwards how many there were, and how many had none. */
export function* countedEntries(
  { text, isCsv }: Extract<AddressText, { text: string }>,
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

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
