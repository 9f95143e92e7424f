import { setImmediate } from 'node:timers/promises'
import { namedEntry } from '../../contract/refused-entries.ts'
import { AppError } from './errors.ts'
import { parseRecipient } from './mail-address.ts'

type ParsedRecipient = { name: string; address: string; key: string }

/** Enough to see what is wrong with a list, and still one sentence. */
const NAMED_BAD = 20
/** Some milliseconds of parsing, then others get their turn. */
const CHUNK = 1_000

/** Reads entries as typed, chunk by chunk. At the end of a list with bad entries it throws, and names them. */
export async function* parseRecipients(
  entries: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<ParsedRecipient[]> {
  const bad: string[] = []
  let badCount = 0
  let chunk: ParsedRecipient[] = []
  let read = 0
  for await (const entry of inChunks(entries)) {
    for (const text of entry) {
      read += 1
      const recipient = parseRecipient(text)
      if (recipient) chunk.push(recipient)
      else if (++badCount <= NAMED_BAD) bad.push(text)
    }
    // Once one is bad nothing will be stored: only the rest of the bad ones is still of interest.
    if (badCount === 0) yield chunk
    chunk = []
    await setImmediate()
  }
  if (badCount > 0) throw new AppError(400, describeBad(bad, badCount))
  if (read === 0) throw new AppError(400, 'Please add at least one recipient')
}

async function* inChunks(entries: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[]> {
  if (Array.isArray(entries)) {
    for (let start = 0; start < entries.length; start += CHUNK) yield entries.slice(start, start + CHUNK)
    return
  }
  let chunk: string[] = []
  for await (const entry of entries) {
    chunk.push(entry)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

function describeBad(bad: readonly string[], count: number): string {
  const named = bad.map(namedEntry).join(', ')
  const more = count > bad.length ? ` and ${count - bad.length} more` : ''
  return count === 1
    ? `${named} is not a valid e-mail address`
    : `These are not valid e-mail addresses: ${named}${more}`
}
