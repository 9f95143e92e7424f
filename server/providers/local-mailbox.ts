import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { sendTheRest } from './sound-copies.ts'

/** Keeps copies and gives their ids, in the same order; the same idempotency key gives the same id and is kept once. */
export type Deposit = (letter: Letter, copies: readonly Copy[]) => Promise<string[]>

/** A key is known as long as its message is kept; nobody comes back to a test campaign after this. */
const REPEATABLE_MS = 30 * 24 * 3_600_000

/** Stands in for a provider while none is configured: every mail arrives in a mailbox inside Postrider. */
export function createLocalMailbox({ deposit }: { deposit: Deposit }): Provider {
  async function keep(letter: Letter, copies: readonly Copy[]): Promise<Outcome[]> {
    try {
      const ids = await deposit(letter, copies)
      return ids.map((id) => ({ kind: 'accepted', id }))
    } catch {
      // Only the answer may have been lost, or what comes after the mails are kept may have failed, such as the report of
      // them. A deposit may be repeated as often as one likes, so the doubt soon ends by itself.
      const reason = 'The local mailbox may or may not have kept the mail'
      return copies.map(() => ({ kind: 'unknown', reason }))
    }
  }

  return {
    name: 'Local mailbox',
    batchMax: 200,
    concurrency: 2,
    callsPerSecond: null,
    copiesPerSecond: () => null,
    identity: 'local mailbox',
    repeatableMs: REPEATABLE_MS,
    send: (letter, copies) => sendTheRest(letter, copies, (sound) => keep(letter, sound)),
    check: async () => null,
    verify: async () => ({ isGood: true, note: 'Mail arrives in the local mailbox of this installation.' }),
    async close() {},
  }
}
