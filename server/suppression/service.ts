import {
  type AddSuppressionsResponse,
  REASON_CHANGED,
  type RemoveSuppressionRequest,
  type SuppressionReason,
  type SuppressionsQuery,
} from '../../contract/suppressions.ts'
import type { DeliveryService } from '../delivery/service.ts'
import { addressSearch } from '../platform/address-search.ts'
import type { Database } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { parseMailAddress, parseRecipient } from '../platform/mail-address.ts'
import { parseRecipients } from '../platform/recipient-entries.ts'
import * as store from './store.ts'

export type SuppressionService = {
  list(userId: string, query: SuppressionsQuery): Promise<{ entries: store.Row[]; nextCursor: string | null }>
  /** The whole list, piece by piece. */
  all(userId: string): AsyncGenerator<store.Row[]>
  /** From the answer on nothing more is sent to them, queued or not. */
  add(userId: string, addresses: readonly string[]): Promise<AddSuppressionsResponse>
  /** Where a reason is named, only while it is still that one: who has left since is not mailed again unnoticed. */
  remove(userId: string, request: RemoveSuppressionRequest): Promise<void>
  /** Which of these entries would be left out, as they were typed. */
  check(userId: string, entries: readonly string[]): Promise<string[]>
}

type Dependencies = { db: Database; delivery: Pick<DeliveryService, 'leaveOut'> }

const CHUNK = 10_000
const EXPORT_STEP = 1_000

export function createSuppression({ db, delivery }: Dependencies): SuppressionService {
  return {
    async list(userId, { q, reason, cursor, limit }) {
      const rows = await store.list(db, userId, {
        search: q ? addressSearch(q) : null,
        reason: reason ?? null,
        after: cursor === undefined ? null : readPlace(cursor),
        limit: limit + 1,
      })
      const entries = rows.slice(0, limit)
      const last = entries.at(-1)
      return { entries, nextCursor: last && rows.length > limit ? writePlace(last) : null }
    },

    async *all(userId) {
      let after: store.Place | null = null
      for (;;) {
        const rows: store.Row[] = await store.list(db, userId, {
          search: null,
          reason: null,
          after,
          limit: EXPORT_STEP,
        })
        yield rows
        after = rows.at(-1) ?? null
        if (rows.length < EXPORT_STEP || after === null) return
      }
    },

    async add(userId, addresses) {
      const mailboxes: store.Mailbox[] = []
      for await (const chunk of parseRecipients(addresses)) mailboxes.push(...chunk)
      const keys = [...new Set(mailboxes.map(({ key }) => key))]
      let added = 0
      // Committed one by one: each is in the order of its addresses, but one behind the other they are not.
      for (let start = 0; start < mailboxes.length; start += CHUNK)
        added += await store.add(db, userId, mailboxes.slice(start, start + CHUNK))
      // After the commits: who claims from now on sees the list, and what was claimed before is taken back here.
      await delivery.leaveOut(userId, keys)
      return { added, known: keys.length - added }
    },

    async remove(userId, { address, reason = null }) {
      const mailbox = parseMailAddress(address)
      if (mailbox && (await store.remove(db, userId, mailbox.key, reason))) return
      const other = mailbox && reason !== null ? await store.find(db, userId, mailbox.key) : null
      throw other ? reasonChanged(other) : notFound('address on your list')
    },

    async check(userId, entries) {
      const suppressed: string[] = []
      for (let start = 0; start < entries.length; start += CHUNK) {
        const keyed = entries
          .slice(start, start + CHUNK)
          .map((entry) => ({ entry, key: parseRecipient(entry)?.key ?? null }))
        const found = new Set(
          await store.findSuppressed(
            db,
            userId,
            keyed.flatMap(({ key }) => key ?? []),
          ),
        )
        for (const { entry, key } of keyed) if (key !== null && found.has(key)) suppressed.push(entry)
      }
      return suppressed
    },
  }
}

const BY_NOW: Record<SuppressionReason, (address: string) => string> = {
  'hard-bounce': (address) => `mail to ${address} came back for good`,
  'soft-bounces': (address) => `the last mails to ${address} all came back`,
  complaint: (address) => `${address} has reported an email as spam`,
  unsubscribed: (address) => `${address} has unsubscribed`,
  manual: (address) => `${address} was added by hand`,
}

const reasonChanged = ({ address, reason }: store.Entry): AppError =>
  new AppError(409, `${REASON_CHANGED}: ${BY_NOW[reason](address)}. Nothing was removed`)

const writePlace = ({ micros, key }: store.Place): string =>
  `${micros}_${Buffer.from(key).toString('base64url')}`

const PLACE = /^(\d{1,17})_([\w-]+)$/

function readPlace(cursor: string): store.Place {
  const [, micros, key] = PLACE.exec(cursor) ?? []
  const text = Buffer.from(key ?? '', 'base64url').toString()
  if (!micros || text.includes('\0'))
    throw new AppError(400, 'The cursor is not one that Postrider gave; start again at the first page')
  return { micros, key: text }
}
