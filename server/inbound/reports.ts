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

type About = {
  /** Those whose return paths it came to. */
  deliveries: readonly DeliveryKey[]
  /** The one that a complaint proves to be about, by what it gives back of the mail. */
  complainedOf(reading: BounceReading): DeliveryKey | null
  /** Whom a delivery was written to; null where it is gone. */
  addressOf(delivery: DeliveryKey): Promise<string | null>
}

/**
 * What a report says about deliveries of ours; nothing where it is none. The address that it came to tells which delivery
 * is meant, or a token of ours in it, never the text: anybody can write that.
 */
export async function eventsOf(raw: Buffer, about: About, at: Date): Promise<ProviderEvent[]> {
  const reading = await readBounce(raw)
  const read = kindOf(reading)
  if (read === null) return []
  const proven = reading.kind === 'complaint' ? about.complainedOf(reading) : null
  const meant = proven ? [...about.deliveries, proven] : about.deliveries
  const deliveries = new Map(meant.map((one) => [deliveryTag(one.campaignId, one.seq), one]))
  const report = identityOf(raw)
  const events: ProviderEvent[] = []
  for (const [tag, delivery] of deliveries) {
    // Only what would suppress the address is worth a look whose address it is.
    const other = reading.kind === 'hard' ? passedOn(reading, await about.addressOf(delivery)) : null
    const kind = other ? ({ kind: 'bounced', bounce: other.isElsewhere ? 'message' : 'soft' } as const) : read
    const words = other ? other.reason : reading.reason
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
