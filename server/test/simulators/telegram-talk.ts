import { randomUUID } from 'node:crypto'
import { machineNow, millisecondsSince } from '../machine-clock.ts'
import type { Entity } from './telegram-format.ts'
import { piecesOf } from './telegram-pieces.ts'
import { type Mask, type Seen, seen, transcriptOf } from './telegram-transcript.ts'
import type { Updates } from './telegram-updates.ts'
import { buttonsOf, type Message, type Press, type Room, type User, type World } from './telegram-world.ts'

type Links = Readonly<Record<string, string>>

export type Talk = {
  id: number
  /**
   * As a client does, it sends what is longer than a message in pieces; answers with the last. `links`: words, and the
   * address under them.
   */
  says(text: string, options?: { replyTo?: Seen | number; links?: Links }): Promise<Seen>
  /** Every piece of it is a reply. */
  repliesTo(message: Seen | number, text: string): Promise<Seen>
  edits(message: Seen | number, text: string): Promise<Seen>
  /** `size` pretends another than that of the content. */
  sendsFile(
    name: string,
    content: string | Buffer,
    options?: { type?: string; caption?: string; size?: number; replyTo?: Seen | number },
  ): Promise<Seen>
  /** A message without any text. */
  sends(thing: 'photo' | 'sticker' | 'voice'): Promise<Seen>
  /**
   * The button with these words on the newest message that has it, or on the one given; waits for one to come. Answers
   * with what the bot then shows at the top of the screen, '' where it shows nothing. All presses of one turn of the
   * event loop are under way before the bot sees any.
   */
  presses(button: string | RegExp, message?: Seen | number, options?: { within?: number }): Promise<string>
  /** A press that no client offers: any data, on any message, of any chat. */
  pressesForged(messageId: number, data: string, options?: { chatId?: number }): Promise<string>
  /** What the bot has said to presses here, in order. */
  answers(): { label: string; text: string; isAlert: boolean }[]
  /** What is in the chat now, the oldest first. */
  messages(): Seen[]
  /**
   * Waits until the bot shows something that matches, new or edited, since this person last did anything; also when it
   * has been edited again meanwhile.
   */
  hears(pattern: RegExp | string, options?: { within?: number }): Promise<Seen>
  transcript(options?: { mask?: Mask }): string
}

const WAIT_MS = 10_000

/** What one person does and sees in one chat. */
export function createTalk(world: World, updates: Updates, room: Room, user: User): Talk {
  const { bot } = world
  let actedAt = 0

  const transcript: Talk['transcript'] = ({ mask } = {}) => transcriptOf(room, bot, mask)
  const show = (message: Message): Seen => seen(room, message, bot)
  const find = (message: Seen | number): Message => {
    const found = room.messages.get(typeof message === 'number' ? message : message.id)
    if (!found) throw new Error(`${user.first_name} sees no such message; the chat:\n${transcript()}`)
    return found
  }

  function act(): void {
    if (room.access === 'blocked' || room.access === 'kicked')
      throw new Error(`${user.first_name} cannot write to a bot that is blocked or gone: see starts()`)
    room.access = 'open'
    actedAt = room.shown.length
  }

  function sendMessage(content: Partial<Message>, replyTo?: Seen | number): Seen {
    const answered = replyTo === undefined ? undefined : find(replyTo)
    act()
    const { reply_to_message: _before, ...quoted } = answered ?? {}
    const reply = answered ? { reply_to_message: quoted as Message } : {}
    const message = world.post(room, user, { ...content, ...reply })
    if (isForBot(message)) updates.push('message', message, room.chat.id)
    return show(message)
  }

  function sendText(text: string, replyTo?: Seen | number, links?: Links): Seen {
    const sent = piecesOf(text).map((piece) =>
      sendMessage({ text: piece, ...entitiesIn(piece, links) }, replyTo),
    )
    const last = sent.at(-1)
    if (!last) throw new Error('a client sends no empty message')
    return last
  }

  /** In a group a bot is told of what is meant for it only. */
  const isForBot = ({ chat, text = '', reply_to_message: answered }: Message) =>
    chat.type === 'private' ||
    text.startsWith('/') ||
    text.includes(`@${bot.username}`) ||
    answered?.from === bot

  async function press(
    label: string,
    message: Partial<Message>,
    data: string,
    within?: number,
  ): Promise<string> {
    act()
    const pressed: Press = { kind: 'press', id: randomUUID(), who: user, label, answer: null }
    world.presses.set(pressed.id, pressed)
    room.happenings.push(pressed)
    const query = { id: pressed.id, from: user, message, chat_instance: String(room.chat.id), data }
    updates.push('callback_query', query, room.chat.id)
    world.changed(room)
    return wait(`an answer to [${label}]`, () => pressed.answer?.text ?? null, within)
  }

  /** Looks at every change of the chat; no clock decides but the one that gives up. */
  function wait<T>(what: string, look: () => T | null, within = WAIT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = look()
        if (found === null) return
        stop()
        resolve(found)
      }
      const unlisten = world.listen((changed) => changed === room && check())
      const start = machineNow()
      const giveUp = () => {
        const left = within - millisecondsSince(start)
        if (left > 0) {
          timer = setTimeout(giveUp, left)
          return
        }
        stop()
        const chat = transcript() || '(empty)'
        reject(new Error(`${user.first_name} waited ${within} ms in vain for ${what}; the chat:\n${chat}`))
      }
      let timer = setTimeout(giveUp, within)
      const stop = () => {
        clearTimeout(timer)
        unlisten()
      }
      check()
    })
  }

  function findButton(
    words: string | RegExp,
    on?: Seen | number,
  ): { message: Message; data: string; label: string } | null {
    const messages = on === undefined ? [...room.messages.values()].toReversed() : [find(on)]
    for (const message of messages)
      for (const button of buttonsOf(message).flat()) {
        const fits = typeof words === 'string' ? button.text === words : words.test(button.text)
        if (fits && button.callback_data !== undefined)
          return { message, data: button.callback_data, label: button.text }
      }
    return null
  }

  return {
    id: room.chat.id,
    says: async (text, { replyTo, links } = {}) => sendText(text, replyTo, links),
    repliesTo: async (message, text) => sendText(text, message),
    async edits(message, text) {
      const before = find(message)
      act()
      const after = world.replace(room, { ...before, text, ...entitiesIn(text) })
      updates.push('edited_message', after, room.chat.id)
      return show(after)
    },
    async sendsFile(name, content, { type = 'text/plain', caption, size, replyTo } = {}) {
      const file = world.keepFile(name, Buffer.from(content), size)
      const document = { ...file, file_name: name, mime_type: type }
      return sendMessage({ document, ...(caption === undefined ? {} : { caption }) }, replyTo)
    },
    async sends(thing) {
      const file = world.keepFile(thing, Buffer.from(thing))
      if (thing === 'photo') return sendMessage({ photo: [{ ...file, width: 90, height: 60 }] })
      if (thing === 'voice') return sendMessage({ voice: { ...file, duration: 3 } })
      return sendMessage({ sticker: { ...file, type: 'regular', width: 512, height: 512, emoji: '👍' } })
    },
    async presses(words, on, { within } = {}) {
      const now = findButton(words, on)
      const button = now ?? (await wait(`the button ${words}`, () => findButton(words, on)))
      return press(button.label, button.message, button.data, within)
    },
    async pressesForged(messageId, data, { chatId = room.chat.id } = {}) {
      const other = world.rooms.get(chatId)
      const chat = other?.chat ?? { id: chatId, type: 'private' }
      // What is not there any more is brought without its content.
      const message = other?.messages.get(messageId)
      const real =
        message &&
        buttonsOf(message)
          .flat()
          .find((button) => button.callback_data === data)
      return press(real?.text ?? `forged ${data}`, message ?? { chat, message_id: messageId, date: 0 }, data)
    },
    answers: () =>
      room.happenings.flatMap((one) =>
        one.kind === 'press' && one.answer ? [{ label: one.label, ...one.answer }] : [],
      ),
    messages: () => [...room.messages.values()].map(show),
    async hears(pattern, { within } = {}) {
      const fits = ({ text, caption = '' }: Message) =>
        typeof pattern === 'string'
          ? (text ?? caption).includes(pattern)
          : (text ?? caption).search(pattern) !== -1
      const find = () => room.shown.slice(actedAt).findLast(fits) ?? null
      return show(await wait(String(pattern), find, within))
    },
    transcript,
  }
}

const COMMAND = /(?<=^|\s)\/[a-z0-9_]{1,32}(?:@\w+)?/gi

function entitiesIn(text: string, links: Links = {}): { entities?: Entity[] } {
  const commands = [...text.matchAll(COMMAND)].map((found) => ({
    type: 'bot_command',
    offset: found.index,
    length: found[0].length,
  }))
  const linked = Object.entries(links)
    .filter(([words]) => text.includes(words))
    .map(([words, url]) => ({
      type: 'text_link',
      offset: text.indexOf(words),
      length: words.length,
      url,
    }))
  const entities = [...commands, ...linked].toSorted((one, other) => one.offset - other.offset)
  return entities.length === 0 ? {} : { entities }
}
