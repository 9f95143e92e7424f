import type { z } from 'zod'
import type {
  CampaignDetail,
  CampaignProgress,
  DeliveriesPage,
  DeliveriesQuery,
  Delivery,
  HistoryEntry,
  HistoryQuery,
} from '../../contract/campaigns.ts'
import { messageIdOf } from '../delivery/identity.ts'
import type { DeliveryService } from '../delivery/service.ts'
import { letterOf, stateOf } from '../delivery/states.ts'
import type { DeliveryRow } from '../delivery/told.ts'
import { addressSearch } from '../platform/address-search.ts'
import { readPlace, readSeq, writePlace } from '../platform/cursors.ts'
import type { Database } from '../platform/database.ts'
import { notFound } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { type Failures, failuresOf } from './failures.ts'
import { asTyped } from './recipient-list.ts'
import { createSearch } from './search.ts'
import { type Extent, findExtent, listRecipients } from './store/deliveries.ts'
import * as store from './store/history.ts'

type InputOf<Schema extends z.ZodType> = z.input<Schema>
export type Entry = InputOf<typeof HistoryEntry>
export type Detail = InputOf<typeof CampaignDetail>
type Page = InputOf<typeof DeliveriesPage>
export type Item = InputOf<typeof Delivery>

/** What became of the campaigns of a user, as the screens and exports show it. */
export type History = {
  /** A page may hold fewer than asked for, but never none while there are more. */
  list(userId: string, query: HistoryQuery): Promise<{ entries: Entry[]; nextCursor: string | null }>
  /** The cursor of the page that ends right before this campaign; null for the first page. */
  newerThan(userId: string, id: string, limit: number): Promise<string | null>
  detail(userId: string, id: string): Promise<Detail>
  progress(userId: string, id: string): Promise<CampaignProgress | null>
  deliveries(userId: string, id: string, query: DeliveriesQuery): Promise<Page>
  /** Why it did not reach those who failed, the most frequent reason first. */
  failures(userId: string, id: string): Promise<Failures>
  /** Every delivery, in pages, for an export of any size. */
  allDeliveries(userId: string, id: string): Promise<AsyncGenerator<Item[]>>
  /** Everybody as they were typed, in the order of the list, in pages. */
  recipients(userId: string, id: string): Promise<AsyncGenerator<string[]>>
}

/** A page of long letters ends early: nobody waits for megabytes to see a list, and the next page is soon there. */
const PAGE_BYTES = 64_000
const EXPORT_PAGE = 2_000

type Dependencies = {
  db: Database
  delivery: Pick<DeliveryService, 'deliveries'>
  mailFrom: string
  /** What has come back to the inbox in answer to a campaign. */
  countReplies: (userId: string, campaignId: string) => Promise<Detail['replies']>
  /** How long a search goes on before it shows what it has found. */
  searchMs?: number
}

export function createHistory({ db, delivery, mailFrom, countReplies, searchMs }: Dependencies): History {
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1)
  const search = createSearch({ db, ...(searchMs === undefined ? {} : { searchMs }) })

  /** Makes sure that a campaign is the user's. */
  async function own(userId: string, id: string): Promise<Extent> {
    const extent = isId(id) ? await findExtent(db, userId, id) : null
    if (!extent) throw notFound('campaign')
    return extent
  }

  return {
    async list(userId, { limit, cursor, q, status, from, to }) {
      const filter = {
        status: status ?? null,
        search: q ? addressSearch(q) : null,
        from: from === undefined ? null : new Date(from),
        to: to === undefined ? null : new Date(to),
      }
      const before = cursor ? readPlace(cursor) : null
      const { found, reached } = await search.campaigns(userId, filter, before, limit)
      const promising = found.slice(0, fitting(found.slice(0, limit).map(({ bytes }) => bytes)))
      const ids = promising.map(({ id }) => id)
      const entries = (await store.findCampaigns(db, userId, ids)).map(toEntry)
      const shown = entries.slice(0, fitting(entries.map(bytesOf)))
      const last = shown.length < entries.length ? shown.at(-1)?.id : ids.at(-1)
      const end = found.findIndex(({ id }) => id === last)
      const next = end + 1 < found.length ? found[end] : reached
      return { entries: shown, nextCursor: next ? writePlace(next) : null }
    },

    async newerThan(userId, id, limit) {
      const place = isId(id) ? await store.findPlaceAhead(db, userId, id, limit) : null
      return place && writePlace(place)
    },

    async detail(userId, id) {
      const row = isId(id) ? await store.findCampaign(db, userId, id) : null
      if (!row) throw notFound('campaign')
      const replies = await countReplies(userId, id)
      return { ...toEntry(row), fromAddress: row.fromAddress ?? mailFrom, replies }
    },

    async progress(userId, id) {
      const row = await store.findProgress(db, userId, id)
      return row && { id: row.id, ...standingOf(row) }
    },

    async deliveries(userId, id, { state, q, cursor, limit }) {
      const extent = await own(userId, id)
      const after = cursor === undefined ? 0 : readSeq(cursor)
      if (!state && !q) {
        // One more than asked for tells whether there is a next page.
        const rows = await delivery.deliveries(id, { after, limit: limit + 1 })
        const shown = rows.slice(0, limit)
        const nextCursor = rows.length > limit ? String(shown.at(-1)?.seq ?? 0) : null
        return { items: shown.map((row) => toItem(id, row)), nextCursor }
      }
      // From the beginning, and in one state: then it is known how many there are to be found.
      const atMost = state && !q && after === 0 ? extent.counts[state] : Number.POSITIVE_INFINITY
      const range = { after, limit, lastSeq: extent.lastSeq, atMost }
      const filter = { state: state ? letterOf(state) : null, search: q ? addressSearch(q) : null }
      const { rows, reached } = await search.deliveries(id, filter, range)
      return {
        items: rows.map((row) => toItem(id, row)),
        nextCursor: reached === null ? null : String(reached),
      }
    },

    async failures(userId, id) {
      return failuresOf(db, id, await own(userId, id))
    },

    async allDeliveries(userId, id) {
      await own(userId, id)
      const page = (after: number) => delivery.deliveries(id, { after, limit: EXPORT_PAGE })
      return everything(page, (row) => toItem(id, row))
    },

    async recipients(userId, id) {
      await own(userId, id)
      const page = (after: number) => listRecipients(db, id, { after, limit: EXPORT_PAGE })
      return everything(page, (row) => asTyped(row))
    },
  }

  function toItem(campaignId: string, { seq, state, ...row }: DeliveryRow): Item {
    return { ...row, state: stateOf(state), messageId: messageIdOf(campaignId, seq, domain) }
  }
}

async function* everything<Row extends { seq: number }, Shown>(
  read: (after: number) => Promise<Row[]>,
  show: (row: Row) => Shown,
): AsyncGenerator<Shown[]> {
  let after = 0
  for (;;) {
    const rows = await read(after)
    if (rows.length > 0) yield rows.map(show)
    if (rows.length < EXPORT_PAGE) return
    after = rows.at(-1)?.seq ?? after
  }
}

const toEntry = (row: store.CampaignRow): Entry => ({
  id: row.id,
  subject: row.subject,
  recipients: row.recipients,
  recipientCount: row.recipientCount,
  body: row.body,
  senderName: row.senderName,
  replyTo: row.replyTo,
  sentDate: row.createdAt,
  ...standingOf(row),
})

/** What changes while a campaign is being sent, and after. */
const standingOf = (row: store.Progress) => ({
  round: row.round,
  status: row.status,
  state: row.state,
  pausedReason: row.pausedReason,
  resumesItself: row.resumesItself,
  isRestored: row.isRestored,
  counts: row.counts,
  successfulCount: row.counts.accepted,
  unconfirmedCount: row.counts.unknown,
  deliveredCount: row.delivered,
  isDeliveryPresumed: row.isPresumed,
  bouncedCount: row.bounced,
  complainedCount: row.complained,
  openedCount: row.opened,
  machineOpenedCount: row.machineOpened,
  unsubscribedCount: row.unsubscribed,
})

const bytesOf = (entry: Entry): number => Buffer.byteLength(JSON.stringify(entry)) + 1

/** How many of these make a page; one at least. */
function fitting(sizes: readonly number[]): number {
  let bytes = 0
  const end = sizes.findIndex((size) => {
    bytes += size
    return bytes > PAGE_BYTES
  })
  return end === -1 ? sizes.length : Math.max(1, end)
}
