import { RECIPIENT_MAX } from '../../contract/campaigns.ts'

const BETWEEN = new Set([',', ';', '\n', '\r'])

/**
 * The entries of a list as people paste it: separated by commas, semicolons or line breaks, and `Name <a@b>` kept
 * whole, with the commas inside its quotation marks. One at a time, so that a long list can be read in slices.
 */
export function* entriesOf(text: string): Generator<string> {
  const isCommaInName = commasInNames(text)
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') isQuoted = isQuoted ? text.charAt(at - 1) === '\\' : opensQuote(text, start, at)
    // No name runs over two lines: a quotation mark that was never closed ends with its line.
    if (sign === '\n' || sign === '\r') isQuoted = false
    if (isQuoted || !BETWEEN.has(sign) || (sign === ',' && isCommaInName(start, at))) continue
    yield* entryOf(text.slice(start, at))
    start = at + 1
  }
  yield* entryOf(text.slice(start))
}

/** Only at the beginning of an entry; elsewhere it is a stray sign, or somebody's inches. */
const opensQuote = (text: string, start: number, at: number): boolean => text.slice(start, at).trim() === ''

/** Outlook writes `Keller, Ann <ann@x.test>; Ford, Bob <bob@x.test>`: there a comma before any @ is part of a name. */
function commasInNames(text: string): (start: number, at: number) => boolean {
  if (!text.includes(';')) return () => false
  const pattern = /^[^;\n\r"@]*<[^<>;\n\r]*@/
  return (start, at) =>
    !text.slice(start, at).includes('@') && pattern.test(text.slice(at + 1, at + RECIPIENT_MAX))
}

function* entryOf(piece: string): Generator<string> {
  // Nothing that long is an address; cut, it still shows what it was, and can be kept in a draft.
  const entry = quoteName(piece.trim().replace(/\s+/g, ' ')).slice(0, RECIPIENT_MAX)
  if (entry !== '') yield entry
}

/** A name with a comma is one name only inside quotation marks. */
function quoteName(entry: string): string {
  const open = entry.endsWith('>') ? entry.lastIndexOf('<') : -1
  const name = entry.slice(0, Math.max(open, 0)).trim()
  if (!name.includes(',') || name.startsWith('"')) return entry
  return `"${name}" ${entry.slice(open)}`
}

/** What is typed so far, when it holds a separator: the entries before the last one, and what is left to type on. */
export function takeTyped(text: string): { entries: string[]; rest: string } | null {
  let end = -1
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') isQuoted = isQuoted ? text.charAt(at - 1) === '\\' : opensQuote(text, end + 1, at)
    else if (!isQuoted && BETWEEN.has(sign)) end = at
  }
  return end < 0
    ? null
    : { entries: [...entriesOf(text.slice(0, end))], rest: text.slice(end + 1).trimStart() }
}
