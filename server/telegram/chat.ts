import { type Context, InlineKeyboard } from 'grammy'
import { isGone, isUnchanged } from './calls.ts'
import type { Person } from './links.ts'
import type { Message } from './markup.ts'
import type { FoundDialogue } from './store/dialogues.ts'

/** A private chat with somebody, linked or not. */
export type Visit = Context & {
  /** The same whenever this update is handled again: the key of whatever must happen once. */
  onceKey: string
  /** Whether the press of a button has been answered. */
  isAnswered: boolean
}

/** A chat with somebody whose account is linked: looked up for this very update, never remembered. */
export type Chat = Visit & {
  person: Person
  /** What they are in the middle of saying. */
  dialogue: FoundDialogue | null
  /** The next message that is no command goes to the dialogue of this kind. */
  expect(kind: string, state: unknown): Promise<void>
  endDialogue(): Promise<void>
}

/** As Telegram takes it. */
export function asSent({ buttons }: Message) {
  return {
    parse_mode: 'HTML' as const,
    link_preview_options: { is_disabled: true },
    ...(buttons ? { reply_markup: keyboardOf(buttons) } : {}),
  }
}

const keyboardOf = (rows: NonNullable<Message['buttons']>): InlineKeyboard =>
  InlineKeyboard.from(
    rows.map((row) =>
      row.map((button) =>
        'open' in button
          ? InlineKeyboard.url(button.text, button.open)
          : InlineKeyboard.text(button.text, button.press),
      ),
    ),
  )

/** Says something new; answers the number of the message. */
export async function say(visit: Visit, message: Message): Promise<number> {
  const { message_id } = await visit.reply(message.text.html, asSent(message))
  return message_id
}

/** In the place of the message whose button was pressed, or as a new one; answers the number of the message. */
export async function show(visit: Visit, message: Message): Promise<number> {
  const pressed = visit.callbackQuery?.message
  if (!pressed) return say(visit, message)
  try {
    await visit.editMessageText(message.text.html, asSent(message))
  } catch (error) {
    if (isGone(error)) return say(visit, message)
    if (!isUnchanged(error)) throw error
  }
  return pressed.message_id
}

/** A line over the chat for a moment, or a box to be closed: for whoever has pressed a button. */
export async function note(visit: Visit, text: string, { isBox = false } = {}): Promise<void> {
  if (!visit.callbackQuery || visit.isAnswered) return
  visit.isAnswered = true
  // Too late to be shown is no failure: what was pressed is done.
  await visit.answerCallbackQuery({ text: text.slice(0, 200), show_alert: isBox }).catch(() => {})
}
