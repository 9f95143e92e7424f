import { z } from 'zod'
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
import type { DeliveryRow, DeliveryService } from '../delivery/service.ts'
import { letterOf, stateOf } from '../delivery/states.ts'
import type { Database } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import * as store from './store.ts'

type InputOf<Schema extends z.ZodType> = z.input<Schema>
export type Entry = InputOf<typeof HistoryEntry>
export type Detail = InputOf<typeof CampaignDetail>
export type Page = InputOf<typeof DeliveriesPage>
export type Item = InputOf<typeof Delivery>

/** What became of the campaigns of a user, as the screens and exports show it. */
export type History = {
  list(userId: string, query: HistoryQuery): Promise<{ entries: Entry[]; nextCursor: string | null }>
  detail(userId: string, id: string): Promise<Detail>
  progress(userId: string, id: string): Promise<CampaignProgress | null>
  deliveries(userId: string, id: string, query: DeliveriesQuery): Promise<Page>
  /** Every delivery, in pages, for an export of any size. */
  allDeliveries(userId: string, id: string): Promise<AsyncGenerator<Item[]>>
}

/** A page of long letters ends early: nobody waits for megabytes to see a list. */
const PAGE_BYTES = 150_000
const EXPORT_PAGE = 2_000

type Dependencies = { db: Database; delivery: Pick<DeliveryService, 'deliveries'>; mailFrom: string }

export function createHistory({ db, delivery, mailFrom }: Dependencies): History {
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1)

  async function find(userId: string, id: string): Promise<store.CampaignRow> {
    // PostgreSQL would complain about anything else.
    const row = z.uuid().safeParse(id).success ? await store.findCampaign(db, userId, id) : null
    if (!row) throw notFound('campaign')
    return row
  }

  return {
    async list(userId, { limit, cursor, q, status }) {
      const filter = { before: cursor ? readCursor(cursor) : null, status: status ?? null, search: q || null }
      // One more than asked for tells whether there is a next page.
      const rows = await store.listCampaigns(db, userId, { ...filter, limit: limit + 1 })
      const shown = rows.slice(0, fitting(rows.slice(0, limit)))
      const last = shown.at(-1)
      const nextCursor = last && shown.length < rows.length ? writeCursor(last) : null
      return { entries: shown.map(toEntry), nextCursor }
    },

    async detail(userId, id) {
      const row = await find(userId, id)
      return { ...toEntry(row), fromAddress: row.fromAddress ?? mailFrom }
    },

    async progress(userId, id) {
      const row = await store.findProgress(db, userId, id)
      return row && { id: row.id, ...standingOf(row) }
    },

    async deliveries(userId, id, { state, q, cursor, limit }) {
      await find(userId, id)
      const after = cursor === undefined ? 0 : readPosition(cursor)
      const rows = await delivery.deliveries(id, {
        state: state ? letterOf(state) : null,
        search: q ? q.toLowerCase() : null,
        after,
        limit: limit + 1,
      })
      const shown = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? String(shown.at(-1)?.seq ?? 0) : null
      return { items: shown.map((row) => toItem(id, row)), nextCursor }
    },

    async allDeliveries(userId, id) {
      await find(userId, id)
      return everything(id)
    },
  }

  async function* everything(id: string): AsyncGenerator<Item[]> {
    let after = 0
    for (;;) {
      const rows = await delivery.deliveries(id, { state: null, search: null, after, limit: EXPORT_PAGE })
      if (rows.length > 0) yield rows.map((row) => toItem(id, row))
      if (rows.length < EXPORT_PAGE) return
      after = rows.at(-1)?.seq ?? after
    }
  }

  function toItem(campaignId: string, { seq, state, ...row }: DeliveryRow): Item {
    return { ...row, state: stateOf(state), messageId: messageIdOf(campaignId, seq, domain) }
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
  status: row.status,
  state: row.state,
  pausedReason: row.pausedReason,
  counts: row.counts,
  successfulCount: row.counts.accepted,
  unconfirmedCount: row.counts.unknown,
  deliveredCount: row.delivered,
  bouncedCount: row.bounced,
  complainedCount: row.complained,
  openedCount: row.opened,
})

/** How many of these make a page; one at least. */
function fitting(rows: readonly store.CampaignRow[]): number {
  let bytes = 0
  const end = rows.findIndex(({ body, subject, recipients }) => {
    bytes += Buffer.byteLength(JSON.stringify([body, subject, recipients])) + 500
    return bytes > PAGE_BYTES
  })
  return end === -1 ? rows.length : Math.max(1, end)
}

const writeCursor = ({ position, id }: store.CampaignRow): string => `${position}_${id}`

function readCursor(cursor: string): { position: string; id: string } {
  const [position = '', id = ''] = cursor.split('_')
  if (!/^\d{1,17}$/.test(position) || !z.uuid().safeParse(id).success) throw badCursor()
  return { position, id }
}

function readPosition(cursor: string): number {
  const position = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (Number.isNaN(position)) throw badCursor()
  return position
}

const badCursor = (): AppError =>
  new AppError(400, 'The cursor is not one that Postrider gave; start again at the first page')
