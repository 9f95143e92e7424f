import { RECIPIENT_MAX } from '../campaigns.ts'

const BETWEEN = new Set([',', ';', '\n', '\r'])
const ENDS_ADDRESS = new Set(['<', '>', ';', '\n', '\r'])
const ENDS_NAME = new Set([';', '\n', '\r', '"'])

/**
 * The entries of a list as people paste it: separated by commas, semicolons or line breaks, and `Name <a@b>` kept
 * whole, with the commas inside its quotation marks. One at a time, so that a long list can be read in slices; and in
 * a time that grows with the list alone, whatever it holds.
 */
export function* entriesOf(text: string): Generator<string> {
  const isCommaInName = commasInNames(text)
  let start = 0
  let isQuoted = false
  let isBlank = true
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') isQuoted = isQuoted ? text.charAt(at - 1) === '\\' : isBlank
    // No name runs over two lines: a quotation mark that was never closed ends with its line.
    if (sign === '\n' || sign === '\r') isQuoted = false
    if (isQuoted || !BETWEEN.has(sign) || (sign === ',' && isCommaInName(start, at))) {
      isBlank &&= sign.trim() === ''
      continue
    }
    if (!isBlank) yield entryOf(text.slice(start, at))
    start = at + 1
    isBlank = true
  }
  if (!isBlank) yield entryOf(text.slice(start))
}

/**
 * Outlook writes `Keller, Ann <ann@x.test>; Ford, Bob <bob@x.test>`: there a comma before any @ is part of a name, if
 * the next @ is that of an address in brackets and nothing before the bracket ends the entry.
 */
function commasInNames(text: string): (start: number, at: number) => boolean {
  if (!text.includes(';')) return () => false
  // Of the next @, for all commas before it: where its bracket opens, and from where on nothing ends the entry.
  let next = { sign: -1, open: -1, from: -1 }
  return (start, at) => {
    if (next.sign <= at) next = bracketAfter(text, at)
    const { sign, open, from } = next
    if (at >= open || at < from || sign - at >= RECIPIENT_MAX) return false
    return !text.slice(start, at).includes('@')
  }
}

function bracketAfter(text: string, at: number): { sign: number; open: number; from: number } {
  const sign = text.indexOf('@', at + 1)
  if (sign < 0) return { sign: text.length, open: -1, from: -1 }
  let open = sign - 1
  while (open > at && !ENDS_ADDRESS.has(text.charAt(open))) open -= 1
  if (text.charAt(open) !== '<') return { sign, open: -1, from: -1 }
  let from = open
  while (from > at && !ENDS_NAME.has(text.charAt(from))) from -= 1
  return { sign, open, from }
}

/** Nothing longer is an address; cut, it still shows what it was, and can be kept in a draft. */
const entryOf = (piece: string): string =>
  quoteName(piece.trim().replace(/\s+/g, ' ')).slice(0, RECIPIENT_MAX)

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
  let isBlank = true
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') isQuoted = isQuoted ? text.charAt(at - 1) === '\\' : isBlank
    isBlank &&= sign.trim() === ''
    if (isQuoted || !BETWEEN.has(sign)) continue
    end = at
    isBlank = true
  }
  return end < 0
    ? null
    : { entries: [...entriesOf(text.slice(0, end))], rest: text.slice(end + 1).trimStart() }
}
