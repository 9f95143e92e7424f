import { createHash } from 'node:crypto'
import { NOT_THE_MAILBOX } from '../bounces/causes.ts'
import { headerOf, readHeaders } from '../bounces/mail-headers.ts'
import { passedOn } from '../bounces/passed-on.ts'
import { textOfMail } from '../bounces/raw-mail.ts'
import { readBounce } from '../bounces/read-bounce.ts'
import type { BounceReading } from '../bounces/reading.ts'
import { deliveryTag } from '../delivery/identity.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'
import type { EventKind, ProviderEvent } from '../providers/events.ts'

/** Whom a delivery was written to; null where it is gone. */
type AddressOf = (delivery: DeliveryKey) => Promise<string | null>

/**
 * What a mail to the return paths of these deliveries says about them; nothing where it is no report. The address that
 * it came to tells which delivery is meant, never the text: anybody can write that.
 */
export async function eventsOf(
  raw: Buffer,
  deliveries: readonly DeliveryKey[],
  at: Date,
  addressOf: AddressOf,
): Promise<ProviderEvent[]> {
  const reading = await readBounce(raw)
  const read = kindOf(reading)
  if (read === null) return []
  const report = identityOf(raw)
  const events: ProviderEvent[] = []
  for (const delivery of deliveries) {
    // Only what would suppress the address is worth a look whose address it is.
    const other = reading.kind === 'hard' ? passedOn(reading, await addressOf(delivery)) : null
    const kind = other ? ({ kind: 'bounced', bounce: other.isElsewhere ? 'message' : 'soft' } as const) : read
    const words = other ? other.reason : reading.reason
    const tag = deliveryTag(delivery.campaignId, delivery.seq)
    events.push({ id: hash(tag, JSON.stringify(kind), report), tag, at, words, ...kind })
  }
  return events
}

function kindOf({ kind, cause, action }: BounceReading): EventKind | null {
  if (kind === 'complaint') return { kind: 'complained' }
  if (kind === 'none') return null
  // A warning that it takes long: the server goes on trying, and nothing has come back yet.
  if (action === 'delayed') return { kind: 'deferred' }
  if (kind === 'hard') return { kind: 'bounced', bounce: 'hard' }
  return { kind: 'bounced', bounce: cause !== null && NOT_THE_MAILBOX.has(cause) ? 'message' : 'soft' }
}

/** The same for a report that comes twice: on its second way other servers may have written their lines above it. */
function identityOf(raw: Buffer): string {
  const text = textOfMail(raw)
  const { headers, end } = readHeaders(text)
  return headerOf(headers, 'message-id') || text.slice(end)
}

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
