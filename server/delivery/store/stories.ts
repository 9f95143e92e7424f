import { createHash } from 'node:crypto'
import { type Database, prepared } from '../../platform/database.ts'
import type { ProviderEvent } from '../../providers/events.ts'
import { nameOf } from '../facts.ts'
import { readDeliveryTag } from '../identity.ts'

/**
 * An event has one story. Where the provider's signature does not cover what is told (Mailgun signs the time and a token
 * only), the same id with another story is somebody's invention.
 */
export async function firstStories(
  db: Database,
  account: string | null,
  events: readonly ProviderEvent[],
): Promise<ProviderEvent[]> {
  const told = new Map<string, string>()
  for (const { id, story } of await prepared<{ id: string; story: string }>(db, TOLD, [
    events.map((event) => eventId(account, event.id)),
  ]))
    told.set(id.replaceAll('-', ''), story)
  return events.filter((event) => {
    const id = eventId(account, event.id)
    const delivery = event.tag === null ? null : readDeliveryTag(event.tag)
    const story = `${delivery?.campaignId} ${delivery?.seq} ${nameOf(event)}`
    const first = told.get(id)
    told.set(id, first ?? story)
    return first === undefined || first === story
  })
}

const TOLD = {
  name: 'told-events',
  text: `select id, campaign_id || ' ' || seq || ' ' || kind as story from delivery_events where id = any($1::uuid[])`,
}

/** Each event has one row for ever, whatever its provider calls it; another account may use the same names. */
export function eventId(account: string | null, id: string): string {
  const hash = createHash('sha256')
    .update(`${account ?? ''}\n${id}`)
    .digest('hex')
  return hash.slice(0, 32)
}
