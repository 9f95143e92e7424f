import type { EventKind, ProviderEvent } from '../providers/events.ts'
import { type Copy, tagOf } from '../providers/provider.ts'

/** Resend's test addresses mean the same here, with a label too: bounced+anything@resend.dev. */
const TEST_ADDRESS = /^(bounced|complained)(?:\+[^@]*)?@resend\.dev$/i

/** What a provider would report of copies that have just arrived: delivered, unless the address asks for another fate. */
export function reportsOf(copies: readonly Copy[], now: Date): ProviderEvent[] {
  return copies.flatMap((copy) =>
    fateOf(copy.to.address).map((event) => ({
      // The same for every repetition of this copy.
      id: `${copy.idempotencyKey} ${event.kind}`,
      tag: tagOf(copy),
      at: now,
      words: event.kind === 'bounced' ? 'The local mailbox bounces mail to this address' : null,
      ...event,
    })),
  )
}

function fateOf(address: string): EventKind[] {
  switch (TEST_ADDRESS.exec(address)?.[1]?.toLowerCase()) {
    case 'bounced':
      return [{ kind: 'bounced', bounce: 'hard' }]
    case 'complained':
      return [{ kind: 'delivered' }, { kind: 'complained' }]
    default:
      return [{ kind: 'delivered' }]
  }
}
