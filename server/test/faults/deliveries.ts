import { z } from 'zod'
import { DELIVERY_STATES, DeliveryCounts, DeliveryState } from '../../../contract/campaigns.ts'
import { type Client, expectOk } from './client.ts'

/** What the API says of every recipient, read in both ways that it offers. */

const Delivery = z.object({
  address: z.string(),
  state: DeliveryState,
  reason: z.string().nullable(),
  messageId: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

const moment = z.string().nullable()
/** With what was reported of it, and when that happened. */
const Reported = Delivery.extend({
  deliveredAt: moment,
  bouncedAt: moment,
  complainedAt: moment,
  openedAt: moment,
})
export type Reported = z.infer<typeof Reported>

export const readPages = (client: Client, id: string): Promise<Delivery[]> => readAll(client, id, Delivery)
export const readReported = (client: Client, id: string): Promise<Reported[]> => readAll(client, id, Reported)

async function readAll<Item>(client: Client, id: string, item: z.ZodType<Item>): Promise<Item[]> {
  const Page = z.object({ items: z.array(item), nextCursor: z.string().nullable() })
  const all: Item[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await client.call('GET', `/api/email-history/${id}/deliveries?limit=500${query}`)
    const page: z.infer<typeof Page> = Page.parse(expectOk(answer))
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

export async function readCsv(client: Client, id: string): Promise<Pick<Delivery, 'address' | 'state'>[]> {
  const answer = await client.call('GET', `/api/email-history/${id}/deliveries.csv`)
  if (answer.status !== 200) throw new Error(`the CSV answered ${answer.status}: ${answer.text}`)
  const [head, ...rows] = parseCsv(answer.text)
  const column = (name: string) => {
    const index = head?.indexOf(name) ?? -1
    if (index < 0) throw new Error(`no column ${name} in: ${head?.join(',')}`)
    return index
  }
  const [address, state] = [column('address'), column('state')]
  return rows.map((row) => ({ address: row[address] ?? '', state: DeliveryState.parse(row[state]) }))
}

/** RFC 4180: fields may stand in quotes, a quote in them is doubled. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

export function tally(deliveries: readonly Pick<Delivery, 'state'>[]): DeliveryCounts {
  const counts = DeliveryCounts.parse(Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])))
  for (const { state } of deliveries) counts[state]++
  return counts
}
