import { z } from 'zod'
import { type Chat, say, show } from './chat.ts'
import { bodyQuestion, previewMessage, recipientsQuestion, subjectQuestion } from './letter-views.ts'
import type { Letter, Letters } from './letters.ts'
import type { Message } from './markup.ts'

/** The kind of dialogue in which a letter is written. */
export const LETTER = 'letter'

/** What is asked for, and what was heard of it so far. */
export const LetterState = z.object({
  letter: z.uuid(),
  asks: z.enum(['subject', 'body', 'recipients']),
  /** Numbers of messages that are in the letter: one that is handled again brings nothing twice. */
  heard: z.array(z.number()),
  /** Of the text: some of it has come, and more is added. */
  isBegun: z.boolean(),
  /** Of the text: the last message was cut by Telegram, and the next one goes on within its line. */
  isCut: z.boolean(),
  /** Of the text: when the last message came, where it may be a piece of a longer one, which goes on in the next. */
  pieceAt: z.number().nullable().default(null),
  /** Of the text: it was put together of such pieces. */
  isJoined: z.boolean().default(false),
  /** Of the list: its last entry, as it stood in a message that was cut by Telegram; the next one may complete it. */
  tail: z.string(),
})
export type LetterState = z.infer<typeof LetterState>

/** Far more than can be handled again. */
const HEARD_MAX = 50

export const heardBy = (state: LetterState, messageId: number): number[] =>
  [...state.heard, messageId].slice(-HEARD_MAX)

export const stateOf = (chat: Chat): LetterState | null => {
  if (chat.dialogue?.kind !== LETTER) return null
  return LetterState.safeParse(chat.dialogue.state).data ?? null
}

/** Known for as long as somebody is at it: whoever comes back to a letter another day was told when it was joined. */
const isJoinedIn = (chat: Chat, { id }: Letter): boolean => {
  const state = stateOf(chat)
  return state?.letter === id && state.isJoined
}

export type Steps = {
  ask(chat: Chat, letter: Letter, what: LetterState['asks']): Promise<void>
  /** Whatever the letter still lacks; then the preview. `remark` tells what has just been read. */
  next(chat: Chat, letter: Letter, remark?: string | null): Promise<void>
}

/** From one question to the next. Where a button was pressed they come in its place. */
export function createSteps({ letters }: { letters: Pick<Letters, 'preview'> }): Steps {
  async function expect(chat: Chat, letter: Letter, asks: LetterState['asks']): Promise<void> {
    const heard = [...new Set([...(stateOf(chat)?.heard ?? []), ...messageIn(chat)])].slice(-HEARD_MAX)
    const isJoined = isJoinedIn(chat, letter)
    const nothing = { isBegun: false, isCut: false, pieceAt: null, tail: '' }
    const state: LetterState = { letter: letter.id, asks, heard, isJoined, ...nothing }
    await chat.expect(LETTER, state)
  }

  async function ask(chat: Chat, letter: Letter, asks: LetterState['asks']): Promise<void> {
    await expect(chat, letter, asks)
    await tell(chat, QUESTIONS[asks](letter))
  }

  return {
    ask,
    async next(chat, letter, remark = null) {
      if (letter.subject === '') return ask(chat, letter, 'subject')
      // That of a template may be empty.
      if (letter.body === '' && letter.templateId === null) return ask(chat, letter, 'body')
      if (letter.recipients.length === 0) return ask(chat, letter, 'recipients')
      const preview = await letters.preview(chat.person, letter)
      const isBad = preview.audience.bad.length > 0
      // Who was adding to the list may go on.
      const isAdding = stateOf(chat)?.asks === 'recipients'
      // Whatever was open is an entry now, as it is shown: nothing that comes later changes it.
      if (isBad || isAdding) await expect(chat, letter, 'recipients')
      const shown = { remark, isJoined: isJoinedIn(chat, letter) }
      await tell(chat, previewMessage(preview, Date.now(), shown))
      // Last, since a message that is handled again must not find that nobody expects it.
      if (!isBad && !isAdding) await chat.endDialogue()
    },
  }
}

const QUESTIONS = {
  subject: subjectQuestion,
  body: bodyQuestion,
  recipients: recipientsQuestion,
} satisfies Record<LetterState['asks'], (letter: Letter) => Message>

const messageIn = ({ message }: Chat): number[] => (message ? [message.message_id] : [])

const tell = (chat: Chat, message: Message): Promise<number> =>
  chat.callbackQuery ? show(chat, message) : say(chat, message)
