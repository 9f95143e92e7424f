import { headerOf, readable, readHeaders, withPlainLines } from '../bounces/mail-headers.ts'
import type { MailReader, ReadMail } from '../mail-reading/reading.ts'
import type { Database } from '../platform/database.ts'
import { type JobKind, TryAgain } from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Notices } from '../platform/notices.ts'
import { createPlaces } from '../platform/places.ts'
import { loadSource } from './store/intake.ts'
import * as store from './store/reading.ts'
import { lockThreads, moveConversation } from './store/threads.ts'
import { earlyAnswers, placeOf } from './threading.ts'
import { lexemesOf } from './words.ts'

/** Reads a mail that is stored. What has to be read is in the row; the job only tells that there is something. */
export const READ_MAIL: JobKind<{ id: string }> = {
  name: 'read-mail',
  options: {
    notify: true,
    retryLimit: 20,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    heartbeatSeconds: 15,
    expireInSeconds: 120,
    retentionSeconds: 7 * 24 * 3600,
    deleteAfterSeconds: 60,
  },
}

type Needs = {
  db: Database
  reader: Pick<MailReader, 'read'>
  notices: Pick<Notices, 'publish'>
  log: Log
  failuresMax?: number
}

/** Large mails are held in memory two at a time, however many wait. */
const AT_ONCE = 2
const HEAD_BYTES = 64_000
/** A busy machine may be to blame for what is not read whole, and a second look finds all of it. */
const LOOKS = 2
/** Of mails that were not read whole here; the second look may be that of another process, of which nothing is heard. */
const FAILURES_MAX = 10_000

/** Reads one mail that waits, and changes nothing where it does not wait any more. */
export function createReading({
  db,
  reader,
  notices,
  log,
  failuresMax = FAILURES_MAX,
}: Needs): (id: string) => Promise<void> {
  const places = createPlaces(AT_ONCE)
  /** How often those that wait were not read whole. */
  const failures = new Map<string, number>()

  async function read(id: string): Promise<void> {
    const failed = failures.get(id) ?? 0
    failures.delete(id)
    const waiting = await store.findWaiting(db, id)
    if (!waiting) return
    const raw = await loadSource(db, id)
    if (!raw) return
    const mail = await reader.read(raw, waiting.envelopeFrom)
    if ((mail === null || mail.isPartial) && failed + 1 < LOOKS) {
      const [oldest] = failures.keys()
      if (oldest !== undefined && failures.size >= failuresMax) failures.delete(oldest)
      failures.set(id, failed + 1)
      throw new TryAgain('a mail was not read whole')
    }
    if (mail) {
      const isKept = await keep(waiting, readingOf(waiting, mail), contentOf(mail)).catch(
        (error: unknown) => {
          if (!isHopeless(error)) throw error
          // Better that its source can be read than that nobody sees it.
          log.error({ err: error, message: id }, 'a received mail could not be kept as it was read')
          return false
        },
      )
      if (isKept) return
    }
    await keep(waiting, unreadable(waiting, raw), null)
  }

  /** True also where somebody else was sooner. */
  async function keep(
    { id, userId }: store.Waiting,
    reading: store.Reading,
    content: store.Content | null,
  ): Promise<boolean> {
    const isNews = await db.transaction().execute(async (tx) => {
      await lockThreads(tx, userId)
      const waiting = await store.lockWaiting(tx, id)
      if (!waiting) return false
      const { campaignId, seq } = waiting
      const place = await placeOf(tx, {
        id,
        userId,
        delivery: campaignId !== null && seq !== null ? { campaignId, seq } : null,
        answeredIds: reading.answeredIds,
        fromAddress: reading.fromAddress,
      })
      await store.storeReading(tx, id, reading, place)
      const conversationId = place.conversationId ?? id
      const early = await earlyAnswers(tx, userId, {
        messageId: reading.messageId,
        except: conversationId,
      })
      for (const from of conversationId === id ? early : [id, ...early])
        await moveConversation(tx, userId, from, conversationId)
      if (content) await store.storeContent(tx, id, content)
      return true
    })
    if (isNews) notices.publish({ userId, kind: 'message', id })
    return true
  }

  return async (id) => {
    const place = await places.take()
    try {
      await read(id)
    } finally {
      place.release()
    }
  }
}

/** A value that the database does not take (class 22), or that is too large for it (54): it would not take it later either. */
const isHopeless = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|54)/.test(String(error.code))

function readingOf(waiting: store.Waiting, mail: ReadMail): store.Reading {
  const { from, subject, attachments, automatic, isPartial } = mail
  const files = attachments.map(({ name }) => name)
  return {
    state: isPartial ? 'u' : 'r',
    home: automatic === 'reply' ? 'automatic' : 'inbox',
    isAutomatic: automatic !== 'no',
    messageId: line(mail.messageId || waiting.messageId, 1_000),
    answeredIds: mail.answeredIds.map((id) => line(id, 1_000)).slice(-50),
    fromName: line(from.name, 200),
    fromAddress: line(from.address, 320),
    answersTo: line(mail.answersTo, 320),
    recipients: addresses(mail.to),
    subject: line(subject, 1_000),
    preview: line(mail.preview, 400),
    sentAt: storable(mail.sentAt),
    attachments: attachments.length,
    lexemes: lexemesOf(waiting, [
      ...[from.name, from.address, subject, ...files.slice(0, 50)],
      ...[mail.text ?? '', mail.htmlWords ?? ''],
    ]),
  }
}

/** What a reader that knows nothing but lines can tell. */
function unreadable(waiting: store.Waiting, raw: Buffer): store.Reading {
  const { headers } = readHeaders(withPlainLines(raw.toString('latin1', 0, HEAD_BYTES)))
  const from = readable(headerOf(headers, 'from'))
  const address = /<([^<>\s]{1,320}@[^<>\s]{1,255})>/.exec(from)?.[1] ?? waiting.envelopeFrom
  const subject = line(readable(headerOf(headers, 'subject')), 1_000)
  const fromName = line(from.replace(/<[^<>]*>/, '').replace(/["\\]/g, ''), 200)
  return {
    state: 'u',
    home: 'inbox',
    isAutomatic: false,
    messageId: waiting.messageId,
    answeredIds: [],
    fromName,
    fromAddress: line(address, 320),
    answersTo: '',
    recipients: [],
    subject,
    preview: '',
    sentAt: null,
    attachments: 0,
    lexemes: lexemesOf(waiting, [fromName, address, subject]),
  }
}

const contentOf = ({ text, html, hasRemoteImages, cc, attachments }: ReadMail): store.Content => ({
  text: text === null ? null : clean(text),
  html: html === null ? null : clean(html),
  hasRemoteImages,
  cc: addresses(cc),
  attachments: attachments.map(({ name, type, size }) => ({
    name: line(name, 255),
    type: line(type, 100),
    size,
  })),
})

/** NUL is in no text that PostgreSQL keeps, and half a character in none that it reads back. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** One line of bounded length. Signs that turn the direction of what follows, or that nobody sees, are left out. */
const line = (text: string, max: number): string =>
  clean(text.slice(0, 2 * max))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, '')
    .trim()
    .slice(0, max)
    .toWellFormed()

const ADDRESSES_MAX = 500
const addresses = (list: readonly string[]): string[] =>
  list.slice(0, ADDRESSES_MAX).map((address) => line(address, 320))

/** A date beyond the calendars of people, or of the database, is none. */
const storable = (date: Date | null): Date | null => {
  const year = date?.getUTCFullYear() ?? Number.NaN
  return year >= 1900 && year <= 9999 ? date : null
}
