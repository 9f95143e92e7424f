import type { Button, InlineKeyboard } from './telegram-arguments.ts'
import type { Entity } from './telegram-format.ts'
import { badRequest, Refusal } from './telegram-refusal.ts'

export type User = {
  id: number
  is_bot: boolean
  first_name: string
  last_name?: string
  username?: string
  language_code?: string
}
export type Chat = {
  id: number
  type: 'private' | 'group'
  first_name?: string
  last_name?: string
  username?: string
  title?: string
}
type SentFile = {
  file_id: string
  file_unique_id: string
  file_name?: string
  mime_type?: string
  file_size?: number
}

/** As the Bot API shows it. Never changed: an edit puts another in its place. */
export type Message = {
  message_id: number
  from: User
  chat: Chat
  date: number
  edit_date?: number
  text?: string
  entities?: Entity[]
  caption?: string
  document?: SentFile
  photo?: (SentFile & { width: number; height: number })[]
  sticker?: SentFile & { type: string; width: number; height: number; emoji: string }
  voice?: SentFile & { duration: number }
  reply_to_message?: Message
  reply_markup?: InlineKeyboard
}

export type Press = {
  kind: 'press'
  id: string
  who: User
  label: string
  /** Null until the bot answers. */
  answer: { text: string; isAlert: boolean } | null
}

export type Room = {
  chat: Chat
  /** Whether the bot may write here. */
  access: 'not-started' | 'open' | 'blocked' | 'kicked'
  messages: Map<number, Message>
  /** Everything that the bot has shown here, each version of it, in order. */
  shown: Message[]
  /** For the transcript. */
  happenings: ({ kind: 'message'; id: number } | Press)[]
  silent: Set<number>
}

export type World = ReturnType<typeof createWorld>

const FORBIDDEN = {
  'not-started': "Forbidden: bot can't initiate conversation with a user",
  blocked: 'Forbidden: bot was blocked by the user',
  kicked: 'Forbidden: bot was kicked from the group chat',
} as const

/** All chats that the bot is, or was, part of, and what was said in them. */
export function createWorld(bot: User, now: () => number, firstMessageId: number) {
  const rooms = new Map<number, Room>()
  const presses = new Map<string, Press>()
  const files = new Map<string, { path: string; content: Buffer; size: number }>()
  const commands = new Map<string, readonly { command: string; description: string }[]>()
  const listeners = new Set<(room: Room) => void>()
  let lastMessageId = firstMessageId - 1

  const seconds = () => Math.floor(now() / 1000)

  function changed(room: Room): void {
    for (const listener of [...listeners]) listener(room)
  }

  function open(chat: Chat, access: Room['access']): Room {
    const room: Room = {
      chat,
      access,
      messages: new Map(),
      shown: [],
      happenings: [],
      silent: new Set(),
    }
    rooms.set(chat.id, room)
    return room
  }

  function post(
    room: Room,
    from: User,
    content: Partial<Message>,
    options: { isSilent?: boolean } = {},
  ): Message {
    lastMessageId += 1
    const message = { message_id: lastMessageId, from, chat: room.chat, date: seconds(), ...content }
    room.messages.set(message.message_id, message)
    room.happenings.push({ kind: 'message', id: message.message_id })
    if (options.isSilent) room.silent.add(message.message_id)
    if (from === bot) room.shown.push(message)
    changed(room)
    return message
  }

  function replace(room: Room, message: Message): Message {
    const edited = { ...message, edit_date: seconds() }
    room.messages.set(edited.message_id, edited)
    if (edited.from === bot) room.shown.push(edited)
    changed(room)
    return edited
  }

  function remove(room: Room, id: number): void {
    room.messages.delete(id)
    changed(room)
  }

  /** Where the bot may write; says as Telegram does why it may not. */
  function roomFor(chatId: number): Room {
    const room = rooms.get(chatId)
    if (!room) throw badRequest('chat not found')
    if (room.access !== 'open') throw new Refusal(403, FORBIDDEN[room.access])
    return room
  }

  function keepFile(name: string, content: Buffer, size = content.length): SentFile {
    const number = files.size
    const id = `BQACAgIAAxkBAAI${number}_simulated`
    const extension = /\.\w+$/.exec(name)?.[0] ?? ''
    files.set(id, { path: `documents/file_${number}${extension}`, content, size })
    return { file_id: id, file_unique_id: `AgAD${number}`, file_size: size }
  }

  return {
    bot,
    rooms,
    presses,
    files,
    commands,
    open,
    post,
    replace,
    remove,
    roomFor,
    keepFile,
    changed,
    seconds,
    /** Called after every change of a chat; gives back how to leave. */
    listen(listener: (room: Room) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const buttonsOf = (message: Message): Button[][] => message.reply_markup?.inline_keyboard ?? []
