import { setImmediate } from 'node:timers/promises'
import { parseRecipient } from '../platform/mail-address.ts'

/** Whom a list of entries as typed means, read as the engine reads it. */
export type Audience = {
  /** One entry for each mailbox, as it was typed first. */
  people: string[]
  duplicates: number
  /** Entries that are no address. */
  bad: string[]
}

/** Some milliseconds of parsing, then others get their turn. */
const CHUNK = 1_000

export async function audienceOf(entries: readonly string[]): Promise<Audience> {
  const keys = new Set<string>()
  const people: string[] = []
  const bad: string[] = []
  for (const [index, entry] of entries.entries()) {
    const recipient = parseRecipient(entry)
    if (!recipient) bad.push(entry)
    else if (!keys.has(recipient.key)) {
      keys.add(recipient.key)
      people.push(entry)
    }
    if (index % CHUNK === CHUNK - 1) await setImmediate()
  }
  return { people, duplicates: entries.length - bad.length - people.length, bad }
}
