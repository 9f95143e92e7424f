import type { z } from 'zod'
import type {
  Attachment,
  ChangeMessageRequest,
  ConversationEntry,
  InboxMessage,
  InboxQuery,
  InboxSummary,
  MessageGone,
} from '../../contract/inbox.ts'
import { stateOf } from '../delivery/states.ts'
import type { AttachedFile, MailReader } from '../mail-reading/reading.ts'
import { readPlace, writePlace } from '../platform/cursors.ts'
import type { Database } from '../platform/database.ts'
import { notFound } from '../platform/errors.ts'
import type { Notices } from '../platform/notices.ts'
import { createPlaces } from '../platform/places.ts'
import { answersPage, listPage, type Page, searchPage } from './search.ts'
import { listReceived, listSent } from './store/conversations.ts'
import { loadSource, readSource } from './store/intake.ts'
import { type AnswerCounts, countAnswers, countUnread, findItems, type Item } from './store/lists.ts'
import * as store from './store/messages.ts'
import { listMissed } from './store/quota.ts'
import { queryOf } from './words.ts'

type InputOf<Schema extends z.ZodType> = z.input<Schema>
type Message = InputOf<typeof InboxMessage>
type Entry = InputOf<typeof ConversationEntry>

/** What users see of their mail, and do with it. Another's message is as absent as one that never was. */
export type Mailbox = {
  list(userId: string, query: InboxQuery): Promise<{ items: Item[]; nextCursor: string | null }>
  countAnswers(userId: string, campaignId: string): Promise<AnswerCounts>
  summary(userId: string): Promise<InboxSummary>
  /** For whoever is told that it has arrived, or that something has become of it. */
  news(userId: string, id: string): Promise<Item | MessageGone>
  open(key: store.MessageKey): Promise<Message>
  change(key: store.MessageKey, change: ChangeMessageRequest): Promise<Item>
  remove(key: store.MessageKey): Promise<void>
  /** Cleaned; null where it has none. */
  html(key: store.MessageKey): Promise<string | null>
  /** As it came, piece by piece. */
  source(key: store.MessageKey): Promise<AsyncGenerator<Buffer>>
  /** `makeRoom` returns once there is memory for so many bytes: the file is not taken out of the mail before. */
  attachment(key: store.MessageKey, index: number, makeRoom: MakeRoom): Promise<AttachedFile>
}

type MakeRoom = (bytes: number) => Promise<void>

type Dependencies = {
  db: Database
  reader: Pick<MailReader, 'attachment'>
  notices: Pick<Notices, 'publish'>
}

/** A file is taken out of the whole mail, which is held in memory meanwhile. */
const FILES_AT_ONCE = 2

export function createMailbox({ db, reader, notices }: Dependencies): Mailbox {
  const filePlaces = createPlaces(FILES_AT_ONCE)

  async function itemOf(userId: string, id: string): Promise<Item | null> {
    const [item] = await findItems(db, userId, [id])
    return item ?? null
  }

  /** To the other pages that the user has open. */
  const tell = ({ userId, messageId }: store.MessageKey): void =>
    notices.publish({ userId, kind: 'message', id: messageId })

  async function conversationOf(userId: string, id: string, conversationId: string): Promise<Entry[]> {
    const [received, sent] = await Promise.all([
      listReceived(db, userId, { conversationId, except: id }),
      listSent(db, userId, conversationId),
    ])
    const entries: Entry[] = [
      ...received.map(({ name, email, ...entry }) => ({
        kind: 'received' as const,
        ...entry,
        from: { name, email },
      })),
      ...sent.map((entry) => ({ kind: 'sent' as const, ...entry, state: stateOf(entry.state) })),
    ]
    return entries.sort((one, other) => one.timestamp.getTime() - other.timestamp.getTime())
  }

  async function shown(userId: string, { places, next }: Page) {
    const ids = places.map(({ id }) => id)
    return { items: await findItems(db, userId, ids), nextCursor: next && writePlace(next) }
  }

  return {
    async list(userId, { folder, campaign, q, cursor, limit }) {
      const range = { folder, before: cursor === undefined ? null : readPlace(cursor), limit }
      if (campaign !== undefined) return shown(userId, await answersPage(db, userId, campaign, range))
      const query = q ? queryOf(userId, q) : null
      // What holds no letter and no digit is found nowhere.
      if (q && query === null) return { items: [], nextCursor: null }
      const page =
        query === null ? await listPage(db, userId, range) : await searchPage(db, userId, query, range)
      return shown(userId, page)
    },

    countAnswers: (userId, campaignId) => countAnswers(db, userId, campaignId),

    async summary(userId) {
      const [counts, missed] = await Promise.all([countUnread(db, userId), listMissed(db, userId)])
      const of = (folder: string): number => counts.find((count) => count.folder === folder)?.count ?? 0
      return {
        unread: { inbox: of('inbox'), automatic: of('automatic') },
        missed: missed.map(({ reason, firstAt, lastAt }) => ({
          reason,
          firstAt: firstAt.toISOString(),
          lastAt: lastAt.toISOString(),
        })),
      }
    },

    news: async (userId, id) => (await itemOf(userId, id)) ?? { messageId: id, isGone: true },

    async open(key) {
      const message = await store.findMessage(db, key)
      if (!message) throw notFound('message')
      const { conversationId, answersTo, cc, files, ...shown } = message
      return {
        ...shown,
        cc: cc.map((email) => ({ email })),
        attachments: files,
        answersTo: answersTo || null,
        conversation: await conversationOf(key.userId, key.messageId, conversationId),
      }
    },

    async change(key, { isUnread, isArchived }) {
      const change = { isUnread: isUnread ?? null, isArchived: isArchived ?? null }
      const isThere = await store.changeMessage(db, key, change)
      if (isThere) tell(key)
      const item = isThere ? await itemOf(key.userId, key.messageId) : null
      if (!item) throw notFound('message')
      return item
    },

    async remove(key) {
      if (!(await store.deleteMessage(db, key))) throw notFound('message')
      tell(key)
    },

    async html(key) {
      const content = await store.findHtml(db, key)
      if (!content) throw notFound('message')
      return content.html
    },

    async source(key) {
      if (!(await store.hasMessage(db, key))) throw notFound('message')
      return readSource(db, key.messageId)
    },

    async attachment(key, index, makeRoom) {
      const message = await store.findMessage(db, key)
      if (!message) throw notFound('message')
      const known: Attachment | undefined = message.files[index]
      if (!known) throw notFound('file')
      await makeRoom(known.size)
      const place = await filePlaces.take()
      try {
        const source = await loadSource(db, key.messageId)
        const file = source && (await reader.attachment(source, index))
        if (!file) throw notFound('file')
        return { ...file, name: known.name, type: known.type }
      } finally {
        place.release()
      }
    },
  }
}
