import type { FindPhrase } from './phrases.ts'
import { findCodes } from './status-codes.ts'

const WORDS_MAX = 1_000
const LINES_MAX = 6

/** The server's answer in the lines about a recipient: from the first code on, or the first line that means something. */
export function serverWords(lines: string[], findPhrase: FindPhrase): string | null {
  const at = lines.findIndex(hasCode)
  if (at >= 0) return joined(lines.slice(at, at + LINES_MAX))
  const phrases = lines.map((line) => (line.trim() === '' ? null : findPhrase(line)))
  const plain = phrases.findIndex((phrase) => phrase !== null && !phrase.isHint)
  const meaning = plain >= 0 ? plain : phrases.findIndex((phrase) => phrase !== null)
  return meaning >= 0 ? joined(lines.slice(meaning, meaning + LINES_MAX)) : null
}

function hasCode(line: string): boolean {
  const { status, reply } = findCodes(line)
  return status !== null || reply !== null
}

/** Up to the next empty line: an answer may have several lines, a paragraph is about something else. */
function joined(lines: string[]): string | null {
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '')
  const text = lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .join(' ')
    .slice(0, WORDS_MAX)
  return text === '' ? null : text
}
