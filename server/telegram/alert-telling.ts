import { type Api, GrammyError } from 'grammy'
import type { History } from '../campaigns/history.ts'
import type { Mailbox } from '../inbox/mailbox.ts'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { gathered, type News, newsOf } from './alert-texts.ts'
import { isBlocked, loggable, TelegramBusy } from './calls.ts'
import { asSent } from './chat.ts'
import type { Links } from './links.ts'
import { type Message, markup } from './markup.ts'
import { isQuiet } from './quiet-hours.ts'
import {
  type Alert,
  claimAlerts,
  dropAlerts,
  finishAlerts,
  listWaitingLinks,
  postponeAlerts,
} from './store/alerts.ts'
import { findPersonOfLink, type Person } from './store/links.ts'
import { keepMailCard } from './store/mail-cards.ts'

/** Tells people what was found, each thing once, when they want to hear it. */
type Telling = { tellAll(signal: AbortSignal): Promise<void> }

export type TellingNeeds = {
  db: Database
  api: Pick<Api, 'sendMessage'>
  history: Pick<History, 'detail'>
  mailbox: Pick<Mailbox, 'news'>
  links: Pick<Links, 'setBlocked'>
  publicUrl: URL
  log: Log
  /** The time of day; a test can have another. */
  now: () => Date
}

/** People who are told at the same time: one chat that is slow keeps nobody else waiting. */
const AT_ONCE = 8
/** More than these at once are one message. */
const SINGLE_MAX = 3
const AGAIN_SECONDS = 30
const DAY_MS = 24 * 3_600_000

/** What is said in one message, and the alerts that are told with it. */
type Saying = { message: Message; ids: string[]; mailId: string | null }

export function createTelling(needs: TellingNeeds): Telling {
  const { db, api, links, log, now } = needs

  async function tell(linkId: string): Promise<void> {
    const person = await findPersonOfLink(db, linkId)
    if (!person || isQuiet(person.quietHours, person.timeZone, now())) return
    const alerts = await claimAlerts(db, linkId)
    const untold = new Set(alerts.map(({ id }) => id))
    const done = async (ids: readonly string[]) => {
      await finishAlerts(db, ids)
      for (const id of ids) untold.delete(id)
    }
    try {
      const { sayings, over, void: ids } = await sayingsFor(person, alerts)
      await dropAlerts(db, over)
      for (const id of over) untold.delete(id)
      await done(ids)
      for (const saying of sayings) {
        const messageId = await send(person, saying.message)
        await done(saying.ids)
        if (saying.mailId && messageId) await keepMailCard(db, linkId, messageId, saying.mailId)
      }
    } catch (error) {
      await failed(person, [...untold], error)
    }
  }

  async function failed(person: Person, untold: readonly string[], error: unknown): Promise<void> {
    if (isBlocked(error)) {
      await postponeAlerts(db, untold, 0)
      return links.setBlocked(person.telegramUserId, true)
    }
    log.warn({ err: loggable(error) }, 'somebody is told later what has happened')
    await postponeAlerts(db, untold, error instanceof TelegramBusy ? error.seconds : AGAIN_SECONDS)
  }

  /** Null where Telegram does not understand it: it would not later either, and others wait behind it. */
  async function send(person: Person, message: Message): Promise<number | null> {
    try {
      const sent = await api.sendMessage(person.telegramUserId, message.text.html, asSent(message))
      return sent.message_id
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400 || isBlocked(error)) throw error
      log.error({ err: loggable(error) }, 'Telegram refuses to tell somebody what has happened')
      return null
    }
  }

  async function sayingsFor(
    person: Person,
    alerts: readonly Alert[],
  ): Promise<{ sayings: Saying[]; over: string[]; void: string[] }> {
    const wanted = alerts.filter(({ kind }) => person.alerts[kind === 'reply' ? 'replies' : kind])
    const isOld = ({ createdAt }: Alert): boolean => now().getTime() - createdAt.getTime() > DAY_MS
    const old = wanted.filter(isOld)
    const found = await Promise.all(
      wanted
        .filter((alert) => !isOld(alert))
        .map(async (alert) => ({ alert, news: await newsOf(alert, person.userId, needs) })),
    )
    const items = found.flatMap(({ alert, news }) => (news ? [{ alert, news }] : []))
    const wasQuiet = ({ alert }: Item): boolean =>
      isQuiet(person.quietHours, person.timeZone, alert.createdAt)
    const sayings = [
      ...(old.length > 0 ? [leftOut(old)] : []),
      ...inSilence(items.filter(wasQuiet)),
      ...atOnce(items.filter((item) => !wasQuiet(item))),
    ]
    // A pause may come back before anybody has seen that it was over, and what has not ended yet is news when it has: an
    // answer whose outcome was awaited, until that was interrupted.
    const mayComeBack = ({ kind }: Alert): boolean => kind === 'paused' || kind === 'finished'
    const over = found.flatMap(({ alert, news }) => (!news && mayComeBack(alert) ? [alert.id] : []))
    const settled = new Set([...sayings.flatMap(({ ids }) => ids), ...over])
    return { sayings, over, void: alerts.map(({ id }) => id).filter((id) => !settled.has(id)) }
  }

  return {
    async tellAll(signal) {
      const waiting = await listWaitingLinks(db)
      // Nobody who sleeps is asked about: there may be thousands of them, and this is done all night.
      const links = waiting.filter((link) => !isQuiet(link.quietHours, link.timeZone, now())).values()
      async function tellNext(): Promise<void> {
        for (const { linkId } of links) {
          if (signal.aborted) return
          await tell(linkId).catch((error: unknown) => {
            if (isDatabaseAway(error)) throw error
            log.warn({ err: loggable(error) }, 'somebody could not be told what has happened')
          })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, tellNext))
    },
  }
}

type Item = { alert: Alert; news: News }

const single = ({ alert, news }: Item): Saying => ({
  message: news.message,
  ids: [alert.id],
  mailId: news.mailId,
})

const together = (heading: string, items: readonly Item[]): Saying => ({
  message: gathered(
    markup`<b>${heading}</b>`,
    items.map(({ news }) => news),
  ),
  ids: items.map(({ alert }) => alert.id),
  mailId: null,
})

const QUIET = 'While it was quiet:'

function inSilence(items: readonly Item[]): Saying[] {
  const [first] = items
  if (!first) return []
  if (items.length > 1) return [together(QUIET, items)]
  const { message } = first.news
  // Alone it can be told in full, and answered.
  const withHeading = { ...message, text: markup`<b>${QUIET}</b>\n\n${message.text}` }
  return [{ ...single(first), message: withHeading }]
}

const atOnce = (items: readonly Item[]): Saying[] =>
  items.length > SINGLE_MAX ? [together(`${items.length} things have happened:`, items)] : items.map(single)

const leftOut = (alerts: readonly Alert[]): Saying => ({
  message: {
    text: markup`${alerts.length} ${alerts.length === 1 ? 'notice older than a day was' : 'notices older than a day were'} left out. /campaigns and /inbox show how things stand.`,
  },
  ids: alerts.map(({ id }) => id),
  mailId: null,
})
