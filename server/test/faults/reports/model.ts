import type { Detail } from '../client.ts'
import type { Reported } from '../deliveries.ts'
import type { Told } from './schemes.ts'
import type { Kind } from './words.ts'

/** What the screens must show after these events, worked out in the simplest way: each fact once, at its own time. */

const SHOWN = ['delivered', 'bounced', 'complained', 'opened'] as const satisfies Kind[]

type Row = Record<(typeof SHOWN)[number], string | null>

export function modelOf(addresses: readonly string[], events: readonly Told[]): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const address of addresses)
    rows.set(address, { delivered: null, bounced: null, complained: null, opened: null })
  for (const { address, kind, at } of events) {
    const row = rows.get(address)
    const shown = SHOWN.find((one) => one === kind)
    if (row && shown) row[shown] = at.toISOString()
  }
  return rows
}

export const rowOf = ({ deliveredAt, bouncedAt, complainedAt, openedAt }: Reported): Row => ({
  delivered: deliveredAt,
  bounced: bouncedAt,
  complained: complainedAt,
  opened: openedAt,
})

/** In the same words, so that they can be compared. A mail that came back was not delivered after all. */
export function countsOf(rows: readonly Row[]): string {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length
  return inWords({
    deliveredCount: count(({ delivered, bounced }) => delivered !== null && bounced === null),
    bouncedCount: count(({ bounced }) => bounced !== null),
    complainedCount: count(({ complained }) => complained !== null),
    openedCount: count(({ opened }) => opened !== null),
  })
}

type Counts = Pick<Detail, 'deliveredCount' | 'bouncedCount' | 'complainedCount' | 'openedCount'>

export const inWords = (shown: Counts): string =>
  `${shown.deliveredCount} delivered, ${shown.bouncedCount} bounced, ${shown.complainedCount} complained, ${shown.openedCount} opened`

export const tagOf = ({ messageId }: Reported): string => messageId.replace(/^<|@.*$/g, '')
