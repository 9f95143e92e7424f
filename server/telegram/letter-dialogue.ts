import { entriesOf, takeTyped } from '../../contract/addresses/entries.ts'
import { BODY_MAX, RECIPIENTS_MAX, SUBJECT_MAX } from '../../contract/campaigns.ts'
import { AppError } from '../platform/errors.ts'
import { parseRecipient } from '../platform/mail-address.ts'
import { requireOneLine } from '../platform/text-safety.ts'
import { type Chat, say } from './chat.ts'
import { heardBy, LETTER, LetterState, type Steps } from './letter-steps.ts'
import { bodySoFar, counted, cutList } from './letter-views.ts'
import type { Letter, LetterChange, Letters } from './letters.ts'
import { linkedText } from './linked-text.ts'
import { MESSAGE_MAX } from './markup.ts'
import { isRightAfter, mayBeCut } from './pieces.ts'
import type { ReceivedFiles } from './received-file.ts'

type Needs = {
  letters: Pick<Letters, 'find' | 'takeMessage'>
  steps: Steps
  files: ReceivedFiles
}

/** What is made of messages by somebody who is writing a letter. */
type LetterDialogue = { hear(chat: Chat, state: unknown): Promise<void> }

export function createLetterDialogue({ letters, steps, files }: Needs): LetterDialogue {
  async function hearSubject(chat: Chat, state: LetterState): Promise<void> {
    const text = chat.message?.text
    if (text === undefined) throw refusal('A subject is one line of words: please type it')
    const subject = text.trim().toWellFormed()
    requireOneLine('The subject', subject)
    if (subject.length > SUBJECT_MAX)
      throw refusal(
        `This subject has ${counted(subject.length, 'character')}; at most ${SUBJECT_MAX} fit. Please send a shorter one`,
      )
    await answer(chat, await keep(chat, state, { subject }, {}))
  }

  async function hearBody(chat: Chat, state: LetterState): Promise<void> {
    const part = await textIn(chat)
    const { body: before } = await letters.find(chat.person, state.letter)
    const between = state.isCut ? '' : '\n'
    const body = (state.isBegun ? before + between + part : part).toWellFormed()
    if (body.length > BODY_MAX)
      throw refusal(
        `With this the text would have ${counted(body.length, 'character')}; at most ${BODY_MAX.toLocaleString('en-US')} fit. I kept what came before`,
      )
    const { text = '', date = 0 } = chat.message ?? {}
    const isPiece = state.pieceAt !== null && isRightAfter(state.pieceAt, date)
    const next = {
      isBegun: true,
      // Where there was nothing better to cut at: within a word.
      isCut: text.length === MESSAGE_MAX,
      pieceAt: mayBeCut(text) ? date : null,
      isJoined: state.isBegun && (state.isJoined || (isPiece && text !== '')),
    }
    await answer(chat, await keep(chat, state, { body }, next))
  }

  async function textIn(chat: Chat): Promise<string> {
    const text = linkedText(chat)
    if (text !== undefined) return text
    const file = await files.text(chat)
    if (file.problem !== undefined) throw refusal(file.problem)
    if (file.text === '') throw refusal(`${file.name} is empty`)
    return file.text
  }

  async function hearRecipients(chat: Chat, state: LetterState): Promise<void> {
    const letter = await letters.find(chat.person, state.letter)
    const { before, entries, isMore, tail, remark } = await entriesIn(chat, state, letter)
    if (isMore || before.length + entries.length > RECIPIENTS_MAX)
      throw refusal(
        `A letter takes at most ${counted(RECIPIENTS_MAX, 'recipient')}, and these are more. The list is as it was before; please split what you send`,
      )
    if (entries.length === 0) throw refusal('There is no address in this')
    const recipients = [...before, ...entries]
    await answer(chat, await keep(chat, state, { recipients }, { tail }), remark)
  }

  /** `before`: what stays of the list. An entry that was cut is in it, and gives way to what the next message makes of it. */
  async function entriesIn(chat: Chat, state: LetterState, { recipients }: Letter) {
    const { text } = chat.message ?? {}
    if (text === undefined) {
      const room = RECIPIENTS_MAX - recipients.length
      return { before: recipients, ...(await entriesInFile(chat, room)), tail: '' }
    }
    const whole = state.tail + text
    const taken = mayBeCut(text) ? takeTyped(whole) : null
    const tail = taken ? tailOf(taken.rest, text) : ''
    const entries = taken && tail !== '' ? [...taken.entries, ...entriesOf(tail)] : [...entriesOf(whole)]
    return { before: withoutTail(recipients, state.tail), entries, isMore: false, tail, remark: null }
  }

  async function entriesInFile(chat: Chat, room: number) {
    const file = await files.list(chat, room)
    if (file.problem !== undefined) throw refusal(file.problem)
    const { name, entries, isMore, emptyRows } = file
    if (entries.length === 0 && !isMore) throw refusal(`There is no address in ${name}`)
    const empty = emptyRows > 0 ? `, ${counted(emptyRows, 'row')} without an address` : ''
    const remark = `${counted(entries.length, 'address', 'addresses')} read from ${name}${empty}.`
    return { entries, isMore, remark }
  }

  async function keep(
    chat: Chat,
    state: LetterState,
    change: LetterChange,
    next: Partial<LetterState>,
  ): Promise<LetterState> {
    const messageId = chat.message?.message_id ?? 0
    const content: LetterState = { ...state, ...next, heard: heardBy(state, messageId) }
    await letters.takeMessage(chat.person, state.letter, {
      messageId,
      change,
      state: { kind: LETTER, content },
    })
    chat.dialogue = { kind: LETTER, state: content, ageSeconds: 0 }
    return content
  }

  /** What is said to a message that is in the letter now. */
  async function answer(chat: Chat, state: LetterState, remark: string | null = null): Promise<void> {
    const letter = await letters.find(chat.person, state.letter)
    if (state.asks === 'body' && state.isBegun) await say(chat, bodySoFar(letter, state.isJoined))
    else if (state.tail !== '') await say(chat, cutList(letter, state.tail))
    else await steps.next(chat, letter, remark)
  }

  const hearings = { subject: hearSubject, body: hearBody, recipients: hearRecipients }

  return {
    async hear(chat, stored) {
      const state = LetterState.parse(stored)
      const isKnown = state.heard.includes(chat.message?.message_id ?? 0)
      // It is in the letter already, and only what was said to it may be missing.
      if (isKnown) return answer(chat, state)
      await hearings[state.asks](chat, state)
    },
  }
}

/**
 * What the next message goes on with, where a client may have cut the last entry in two: within a word where the
 * message is full, at a blank where it is not; then an address that is whole is the end of its entry.
 */
function tailOf(rest: string, text: string): string {
  if (text.length === MESSAGE_MAX) return rest
  return rest === '' || parseRecipient(rest) ? '' : `${rest} `
}

/** The list as it was before the entry that was cut; all of it where that does not stand at its end. */
function withoutTail(recipients: readonly string[], tail: string): readonly string[] {
  const open = [...entriesOf(tail)]
  const start = recipients.length - open.length
  return open.every((entry, at) => recipients[start + at] === entry) ? recipients.slice(0, start) : recipients
}

const refusal = (sentence: string): AppError => new AppError(400, sentence)
