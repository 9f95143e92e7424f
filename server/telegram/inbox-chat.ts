import { Composer } from 'grammy'
import type { History } from '../campaigns/history.ts'
import type { Mailbox } from '../inbox/mailbox.ts'
import type { Replies } from '../inbox/replies.ts'
import type { Database } from '../platform/database.ts'
import { createAnswering, REPLYING } from './answering.ts'
import type { Feature } from './bot.ts'
import type { BotPace } from './calls.ts'
import { type Chat, note, say, show } from './chat.ts'
import { type ListedMail, mailList, mailMessage } from './mail-text.ts'
import { type Message, markup } from './markup.ts'
import { keepMailCard } from './store/mail-cards.ts'
import { findNextUnread, findPageBefore, listMails, type MailPlace } from './store/mails.ts'

type Needs = {
  db: Database
  botId: string
  mailbox: Mailbox
  replies: Replies
  history: Pick<History, 'deliveries'>
  pace: Pick<BotPace, 'knownMs'>
}
type MailKey = Parameters<Mailbox['open']>[0]

const PAGE = 5

/**
 * Mail that came back. Each mail that is opened is a message of its own, for good: whoever answers a message answers
 * what stands in it, never what has taken its place a moment ago.
 */
export function createInboxChat({ db, botId, mailbox, replies, history, pace }: Needs): Feature {
  const chat = new Composer<Chat>()
  const answering = createAnswering({ db, botId, mailbox, replies, history, pace })

  chat.use(async (chat, next) => {
    // Whoever turns to something else does not expect that what they say next is sent to somebody.
    const isCommand = chat.entities('bot_command').some(({ offset }) => offset === 0)
    if (chat.dialogue?.kind === REPLYING && (chat.callbackQuery || isCommand)) await chat.endDialogue()
    return next()
  })

  chat.command('inbox', async (chat) => {
    await say(chat, await page(chat, null))
  })
  chat.callbackQuery('inbox', async (chat) => {
    await say(chat, await page(chat, null))
  })
  // Lists of an older version count pages: which mails stood on one, nobody knows any more, so it begins anew.
  chat.callbackQuery(/^inbox\/(\d{1,3})$/, async (chat) => {
    if (Number(chat.match[1]) > 0) await note(chat, 'This list was out of date, so it begins anew')
    await show(chat, await page(chat, null))
  })
  chat.callbackQuery(PAGE_PRESS, async (chat) => {
    const [, which, kind, position = '', id = ''] = chat.match
    const place = { id, isUnread: kind === 'u', position }
    const after = which === 'o' ? place : await findPageBefore(db, chat.person.userId, place, PAGE)
    await show(chat, await page(chat, after))
  })

  chat.callbackQuery(
    new RegExp(`^mail/(${UUID})/(open|unread|read|archive|inbox|next|reply)$`),
    async (chat) => {
      const [, mailId = '', action] = chat.match
      if (action === 'next') return openNext(chat, mailId)
      const mail = await find(chat, mailId)
      if (!mail) return note(chat, 'This mail has been deleted.', { isBox: true })
      const key = keyOf(chat, mail)
      if (action === 'open') await open(chat, key)
      else if (action === 'reply') await answering.begin(chat, mail)
      else await change(chat, key, CHANGES[action ?? ''] ?? {})
    },
  )

  chat.on('message', async (chat, next) => {
    const isCommand = chat.entities('bot_command').some(({ offset }) => offset === 0)
    const mailId = isCommand ? null : await answering.answered(chat)
    return mailId === null ? next() : answering.answer(chat, mailId)
  })

  /** Those behind a place, which stays the same although mails before it are read or put away. */
  async function page(chat: Chat, after: MailPlace | null): Promise<Message> {
    const { userId, timeZone } = chat.person
    // One more than is shown tells whether there is a next page.
    const places = await listMails(db, userId, after, PAGE + 1)
    const shown = places.slice(0, PAGE)
    const found = await Promise.all(shown.map(({ id }) => mailbox.news(userId, id)))
    const mails = found.flatMap((mail) => ('isGone' in mail ? [] : [mail]))
    const { unread } = await mailbox.summary(userId)
    return mailList(mails, {
      newerThan: (after && shown[0]) ?? null,
      olderThan: (places.length > PAGE && shown.at(-1)) || null,
      isFirst: after === null,
      unread: unread.inbox,
      timeZone,
    })
  }

  async function find(chat: Chat, mailId: string): Promise<ListedMail | null> {
    const mail = await mailbox.news(chat.person.userId, mailId)
    return 'isGone' in mail ? null : mail
  }

  async function open(chat: Chat, key: MailKey): Promise<void> {
    const mail = await mailbox.open(key)
    const { linkId, timeZone } = chat.person
    const messageId = await say(chat, mailMessage({ ...mail, isUnread: false }, timeZone))
    await keepMailCard(db, linkId, messageId, key.messageId)
    // Last: what did not get through was read by nobody, and is still the next one when it is tried again.
    if (mail.isUnread) await mailbox.change(key, { isUnread: false })
  }

  async function openNext(chat: Chat, mailId: string): Promise<void> {
    const next = await findNextUnread(db, chat.person.userId, mailId)
    const mail = next && (await find(chat, next))
    if (mail) return open(chat, keyOf(chat, mail))
    await say(chat, {
      text: markup`There is no more unread mail.`,
      buttons: [[{ text: 'Back', press: 'inbox' }]],
    })
  }

  async function change(chat: Chat, key: MailKey, wish: Change): Promise<void> {
    await mailbox.change(key, wish)
    await show(chat, mailMessage(await mailbox.open(key), chat.person.timeZone))
  }

  return { chat, dialogues: answering.dialogues }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const PAGE_PRESS = new RegExp(`^inbox/([on])/([ur])(\\d{1,17})_(${UUID})$`)

type Change = { isUnread?: boolean; isArchived?: boolean }
const CHANGES: Readonly<Record<string, Change>> = {
  unread: { isUnread: true },
  read: { isUnread: false },
  archive: { isArchived: true },
  inbox: { isArchived: false },
}

const keyOf = (chat: Chat, { inboxId, messageId }: Pick<ListedMail, 'inboxId' | 'messageId'>): MailKey => ({
  userId: chat.person.userId,
  inboxId,
  messageId,
})
