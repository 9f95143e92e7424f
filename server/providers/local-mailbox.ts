import { refusalOf } from './mail-safety.ts'
import type { Outcome, OutgoingMail, Provider } from './provider.ts'

/** Keeps a mail and gives its id; the same idempotency key gives the same id and keeps it once. */
export type Deposit = (mail: OutgoingMail) => Promise<string>

/** Stands in for a provider while none is configured: every mail arrives in a mailbox inside Postrider. */
export function createLocalMailbox({ deposit }: { deposit: Deposit }): Provider {
  async function sendOne(mail: OutgoingMail): Promise<Outcome> {
    const refusal = refusalOf(mail)
    if (refusal) return refusal
    try {
      return { kind: 'accepted', id: await deposit(mail) }
    } catch {
      // A deposit may be repeated as often as one likes, so doubt about one is no harm.
      return { kind: 'try-later', reason: 'The local mailbox could not keep the mail', afterMs: null }
    }
  }

  return {
    name: 'Local mailbox',
    send: (batch) => Promise.all(batch.map(sendOne)),
    async close() {},
  }
}
