import { isDeepStrictEqual } from 'node:util'
import {
  type Arguments,
  type InlineKeyboard,
  type Method,
  readKeyboard,
  readText,
} from './telegram-arguments.ts'
import type { Formatted } from './telegram-format.ts'
import type { Limits } from './telegram-limits.ts'
import { badRequest } from './telegram-refusal.ts'
import type { Updates } from './telegram-updates.ts'
import type { Message, Room, World } from './telegram-world.ts'

const QUERY_TOO_OLD = 'query is too old and response timeout expired or query ID is invalid'
const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message'
const CALLBACK_TEXT_MAX = 200
const CAPTION_MAX = 1024
const DOWNLOAD_MAX = 20 * 1024 * 1024
/** A bot may take back what it said for two days. */
const DELETABLE_SECONDS = 48 * 3600

type Methods = { [M in Method]: (args: Arguments<M>, gone: AbortSignal) => unknown }

export function createMethods(world: World, updates: Updates, limits: Limits): Methods {
  const { bot, commands } = world
  const placeOf = ({ scope, language_code }: Arguments<'getMyCommands'>) =>
    JSON.stringify([scope ?? { type: 'default' }, language_code ?? ''])

  function ownMessage(room: Room, id: number, what: 'edit' | 'delete'): Message {
    const message = room.messages.get(id)
    if (!message) throw badRequest(`message to ${what} not found`)
    if (message.from !== bot && (what === 'edit' || room.chat.type !== 'private'))
      throw badRequest(what === 'edit' ? "message can't be edited" : "message can't be deleted for everyone")
    return message
  }

  function replyOf(room: Room, given: Arguments<'sendMessage'>['reply_parameters']): Partial<Message> {
    if (!given) return {}
    const message = room.messages.get(given.message_id)
    if (!message && !given.allow_sending_without_reply) throw badRequest('message to be replied not found')
    if (!message) return {}
    const { reply_to_message: _before, ...answered } = message
    return { reply_to_message: answered }
  }

  /** Whoever edits without buttons takes them away. */
  function edit(room: Room, message: Message, content: Formatted | null, keyboard: InlineKeyboard | null) {
    const { reply_markup: _old, ...rest } = message
    const next: Message = {
      ...rest,
      ...(content ? textOf(content) : {}),
      ...(keyboard ? { reply_markup: keyboard } : {}),
    }
    if (isDeepStrictEqual(contentOf(next), contentOf(message))) throw badRequest(NOT_MODIFIED)
    limits.count(room.chat)
    return world.replace(room, next)
  }

  return {
    getMe: () => ({
      ...bot,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
    }),
    getUpdates: (args, gone) => updates.poll(args, gone),
    setWebhook: (args) => updates.setWebhook(args),
    deleteWebhook: (args) => updates.deleteWebhook(args),
    getWebhookInfo: () => updates.info(),

    sendMessage(args) {
      const room = world.roomFor(args.chat_id)
      const content = readText(args, 'message is too long')
      if (content.text === '') throw badRequest('message text is empty')
      const keyboard = readKeyboard(args.reply_markup)
      const reply = replyOf(room, args.reply_parameters)
      limits.count(room.chat)
      const markup = keyboard ? { reply_markup: keyboard } : {}
      const isSilent = args.disable_notification === true
      return world.post(room, bot, { ...textOf(content), ...reply, ...markup }, { isSilent })
    },
    async sendDocument(args) {
      const room = world.roomFor(args.chat_id)
      const { caption, document } = args
      const content = readText(
        { text: caption ?? '', parse_mode: args.parse_mode },
        'message caption is too long',
        CAPTION_MAX,
      )
      const keyboard = readKeyboard(args.reply_markup)
      const reply = replyOf(room, args.reply_parameters)
      const bytes = Buffer.from(await document.arrayBuffer())
      limits.count(room.chat)
      return world.post(room, bot, {
        document: {
          ...world.keepFile(document.name, bytes),
          file_name: document.name,
          mime_type: document.type,
        },
        ...(content.text === '' ? {} : { caption: content.text }),
        ...reply,
        ...(keyboard ? { reply_markup: keyboard } : {}),
      })
    },
    sendChatAction(args) {
      world.roomFor(args.chat_id)
      return true
    },
    editMessageText(args) {
      const room = world.roomFor(args.chat_id)
      const content = readText(args, 'MESSAGE_TOO_LONG')
      if (content.text === '') throw badRequest('message text is empty')
      const keyboard = readKeyboard(args.reply_markup)
      const message = ownMessage(room, args.message_id, 'edit')
      if (message.text === undefined) throw badRequest('there is no text in the message to edit')
      return edit(room, message, content, keyboard)
    },
    editMessageReplyMarkup(args) {
      const room = world.roomFor(args.chat_id)
      const keyboard = readKeyboard(args.reply_markup)
      return edit(room, ownMessage(room, args.message_id, 'edit'), null, keyboard)
    },
    deleteMessage(args) {
      const room = world.roomFor(args.chat_id)
      const message = ownMessage(room, args.message_id, 'delete')
      if (world.seconds() - message.date > DELETABLE_SECONDS)
        throw badRequest("message can't be deleted for everyone")
      world.remove(room, args.message_id)
      return true
    },
    answerCallbackQuery({ callback_query_id: id, text = '', show_alert: isAlert = false }) {
      if (text.length > CALLBACK_TEXT_MAX) throw badRequest('MESSAGE_TOO_LONG')
      const press = world.presses.get(id)
      if (!press || press.answer) throw badRequest(QUERY_TOO_OLD)
      press.answer = { text, isAlert }
      for (const room of world.rooms.values()) if (room.happenings.includes(press)) world.changed(room)
      return true
    },
    setMyCommands(args) {
      commands.set(placeOf(args), args.commands)
      return true
    },
    getMyCommands: (args) => commands.get(placeOf(args)) ?? [],
    deleteMyCommands(args) {
      commands.delete(placeOf(args))
      return true
    },
    getFile({ file_id: id }) {
      const file = world.files.get(id)
      if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
      if (file.size > DOWNLOAD_MAX) throw badRequest('file is too big')
      return { file_id: id, file_unique_id: id.slice(-12), file_size: file.size, file_path: file.path }
    },
  }
}

const textOf = ({ text, entities }: Formatted): Partial<Message> => ({ text, entities })

const contentOf = ({ text, entities, caption, reply_markup }: Message) => ({
  text,
  caption,
  entities: entities ?? [],
  buttons: reply_markup?.inline_keyboard ?? [],
})
