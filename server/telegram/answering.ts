import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { History } from '../campaigns/history.ts'
import type { Mailbox } from '../inbox/mailbox.ts'
import type { Replies } from '../inbox/replies.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { Feature } from './bot.ts'
import type { BotPace } from './calls.ts'
import { type Chat, say } from './chat.ts'
import { linkedText } from './linked-text.ts'
import type { ListedMail } from './mail-text.ts'
import { type Markup, MESSAGE_MAX, markup, oneLine } from './markup.ts'
import { isRightAfter, MoreMayCome, mayBeCut, PIECES_SECONDS } from './pieces.ts'
import { hasNotArrived, sentenceOf } from './reply-fate.ts'
import { holdAlert, releaseAlert } from './store/alerts.ts'
import { findAnswer } from './store/answers.ts'
import { findMailOfCard, keepMailCard } from './store/mail-cards.ts'
import { findFollowing } from './store/updates.ts'

type Needs = {
  db: Database
  botId: string
  mailbox: Pick<Mailbox, 'news' | 'open'>
  replies: Replies
  history: Pick<History, 'deliveries'>
  pace: Pick<BotPace, 'knownMs'>
}

/** Answers to mails: by Telegram's own reply, or after the button. */
type Answering = {
  /** The mail that the message is a reply to; null where it is none. */
  answered(chat: Chat): Promise<string | null>
  answer(chat: Chat, mailId: string): Promise<void>
  /** The next message is the answer to this one. */
  begin(chat: Chat, mail: ListedMail): Promise<void>
  dialogues: NonNullable<Feature['dialogues']>
}

export const REPLYING = 'reply'
const LOOK_MS = 100
const HELD_SECONDS = 10
/** Who writes later than this has long forgotten that their next message is sent to somebody. */
const EXPECTED_SECONDS = 3_600
/** By then the next piece of a text that was cut has come; whoever wrote one message hardly notices. */
const NEXT_PIECE_MS = 1_500

const Replying = z.object({
  mailId: z.uuid(),
  refusedAt: z.number().optional(),
  /** The message that is the answer. It may come again; any other is none. */
  answeredBy: z.number().optional(),
})

export function createAnswering({ db, botId, mailbox, replies, history, pace }: Needs): Answering {
  /** What became of it, as soon as something did. */
  async function stateOf(userId: string, campaignId: string) {
    const deadline = performance.now() + pace.knownMs
    for (;;) {
      const { items } = await history.deliveries(userId, campaignId, { limit: 1 })
      const [delivery] = items
      const isKnown = delivery && delivery.state !== 'queued' && delivery.state !== 'inFlight'
      if (isKnown || performance.now() > deadline) return delivery ?? null
      await sleep(LOOK_MS)
    }
  }

  /** Whether this is the first piece of a longer text: sent to somebody, it could not be called back. */
  async function isFollowed({ update }: Chat): Promise<boolean> {
    const found = await findFollowing(db, botId, update.update_id, PIECES_SECONDS)
    if (found && !found.isFollowed && found.ageMs < NEXT_PIECE_MS)
      throw new MoreMayCome(NEXT_PIECE_MS - found.ageMs)
    return found?.isFollowed ?? false
  }

  /** Whoever answers what is said here answers the mail that it is about, whatever they were asked since. */
  async function sayOf(chat: Chat, mailId: string, text: Markup): Promise<void> {
    await keepMailCard(db, chat.person.linkId, await say(chat, { text }), mailId)
  }

  /** The campaign that it has become; null where nothing was sent, and why is said. */
  async function send(chat: Chat, mailId: string): Promise<string | null> {
    const { userId, email } = chat.person
    const mail = await mailbox.news(userId, mailId)
    if ('isGone' in mail) {
      await endReplying(chat)
      await say(chat, { text: markup`This mail has been deleted, so no answer was sent.` })
      return null
    }
    const text = chat.message?.text ?? ''
    const refusal = refusalOf(chat, text)
    if (refusal) {
      await sayOf(chat, mailId, refusal)
      return null
    }
    if (text.length >= MESSAGE_MAX || (mayBeCut(text) && (await isFollowed(chat)))) {
      await refuseLong(chat, mailId)
      return null
    }
    const { inboxId, messageId } = mail
    const { id } = await replies
      .reply({ id: userId, email }, { inboxId, messageId, text: linkedText(chat) ?? '' }, chat.onceKey)
      .catch(async (error: unknown) => {
        if (error instanceof AppError && error.status < 500) await endReplying(chat)
        throw error
      })
    return id
  }

  /** `flaw`: why the message cannot be meant for whoever wrote this mail. */
  async function answer(chat: Chat, mailId: string, flaw: string | null = null): Promise<void> {
    const { userId, linkId } = chat.person
    // First: of what was sent before, and could not be told, nothing that has changed since makes it unsent.
    const sent = await findAnswer(db, userId, chat.onceKey)
    if (sent === null && flaw !== null) return refuse(chat, flaw)
    const id = sent ?? (await send(chat, mailId))
    if (id === null) return
    // Should nothing that is said here get through, the next message must not be sent to them too.
    if (chat.dialogue?.kind === REPLYING)
      await chat.expect(REPLYING, { mailId, answeredBy: chat.message?.message_id })
    // What is said here need not be told as well.
    const failure = { linkId, kind: 'finished', about: id, occasion: '1' } as const
    await holdAlert(db, failure, HELD_SECONDS)
    const delivery = await stateOf(userId, id)
    const isSaid = delivery !== null && hasNotArrived(delivery)
    await releaseAlert(db, failure, { isSaid })
    await sayOf(chat, mailId, sentenceOf(delivery))
    await endReplying(chat)
  }

  /** The rest of it follows, and must not be taken for an answer. */
  async function refuseLong(chat: Chat, mailId: string): Promise<void> {
    await chat.expect(REPLYING, { mailId, refusedAt: chat.message?.date ?? 0 })
    await sayOf(
      chat,
      mailId,
      markup`This is too long for one message of Telegram, so nothing was sent. Send a shorter answer now, or /cancel and answer in the Inbox of Postrider.`,
    )
  }

  /** Each piece follows the one before it, which may be long after the first. */
  async function isDropped(chat: Chat, mailId: string): Promise<boolean> {
    if (!isRestOfLong(chat)) return false
    await chat.expect(REPLYING, { mailId, refusedAt: chat.message?.date ?? 0 })
    return true
  }

  async function refuse(chat: Chat, reason: string): Promise<void> {
    await say(chat, {
      text: markup`${reason}, so this message was not sent to anybody. To answer, press Reply again.`,
    })
    await endReplying(chat)
  }

  return {
    async answered(chat) {
      const original = originalOf(chat)
      if (!original) return null
      const kept = await findMailOfCard(db, chat.person.linkId, original.message_id)
      // A mail that is deleted takes its card with it, and a card may be a moment late: the buttons tell as well.
      return kept ?? mailOfButtons(original.reply_markup?.inline_keyboard ?? [])
    },

    async answer(chat, mailId) {
      if (!(await isDropped(chat, mailId))) await answer(chat, mailId)
    },

    async begin(chat, mail) {
      const { answersTo } = await mailbox.open({ ...mail, userId: chat.person.userId })
      if (answersTo === null)
        throw new AppError(
          409,
          'There is nobody to answer: this mail names no address that a reply could go to',
        )
      await chat.expect(REPLYING, { mailId: mail.messageId })
      await sayOf(
        chat,
        mail.messageId,
        markup`What shall I answer <b>${oneLine(answersTo, 254)}</b>? Your next message is sent to them; /cancel sends nothing.`,
      )
    },

    dialogues: {
      async [REPLYING](chat, state) {
        const { mailId, answeredBy } = Replying.parse(state)
        if (answeredBy !== undefined && answeredBy !== chat.message?.message_id)
          return refuse(chat, 'Your answer was sent before')
        if (!(await isDropped(chat, mailId))) await answer(chat, mailId, flawOf(chat))
      },
    },
  }
}

/** Whether the answer that was expected has left already, and only nobody could be told. */
export const isAnswered = ({ dialogue }: Chat): boolean =>
  dialogue?.kind === REPLYING && Replying.parse(dialogue.state).answeredBy !== undefined

const endReplying = async (chat: Chat): Promise<void> => {
  if (chat.dialogue?.kind === REPLYING) await chat.endDialogue()
}

/** The message of the bot that this one is a reply to. */
function originalOf({ message, me }: Chat) {
  const original = message?.reply_to_message
  return original?.from?.id === me.id ? original : null
}

/** Why a message that comes after the button is not the answer that was asked for. */
function flawOf(chat: Chat): string | null {
  if ((chat.dialogue?.ageSeconds ?? 0) > EXPECTED_SECONDS) return 'You pressed Reply more than an hour ago'
  // Of one that stands for a mail it is known whom they mean; here it may be anybody.
  return originalOf(chat) ? 'You replied to a message of mine that stands for no mail' : null
}

function isRestOfLong({ dialogue, message }: Chat): boolean {
  if (dialogue?.kind !== REPLYING) return false
  const { refusedAt } = Replying.parse(dialogue.state)
  return refusedAt !== undefined && isRightAfter(refusedAt, message?.date ?? 0)
}

function refusalOf({ message }: Chat, text: string): Markup | null {
  if (message?.text === undefined)
    return markup`I can send text only, so nothing was sent. Please write your answer.`
  // Also what looks empty: blanks that have no width, or no ink.
  if (text.replace(/[\s\p{C}\u115f\u1160\u2800\u3164\uffa0]/gu, '') === '')
    return markup`There is nothing in this message, so nothing was sent.`
  return null
}

/** Those of a message that stands for one mail; a list has others. */
const PRESS = /^mail\/([0-9a-f-]{36})\/(?:reply|next)$/

function mailOfButtons(rows: readonly (readonly object[])[]): string | null {
  for (const button of rows.flat()) {
    const data = 'callback_data' in button ? String(button.callback_data) : ''
    const mailId = PRESS.exec(data)?.[1]
    if (mailId !== undefined && isId(mailId)) return mailId
  }
  return null
}
