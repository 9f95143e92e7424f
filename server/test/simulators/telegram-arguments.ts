import { z } from 'zod'
import { type Entity, type Formatted, isWebAddress, parseHtml, trimmed } from './telegram-format.ts'
import { badRequest } from './telegram-refusal.ts'

// What each method may be called with. The real one passes over arguments that it does not know; here they are refused,
// so that a misspelt one shows.

const Id = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
])
const Formatting = {
  parse_mode: z.literal('HTML').optional(),
  entities: z
    .array(
      z.strictObject({
        type: z.string(),
        offset: z.int().min(0),
        length: z.int().min(1),
        url: z.string().optional(),
        language: z.string().optional(),
      }),
    )
    .optional(),
  link_preview_options: z
    .strictObject({
      is_disabled: z.boolean().optional(),
      url: z.string().optional(),
      prefer_small_media: z.boolean().optional(),
      prefer_large_media: z.boolean().optional(),
      show_above_text: z.boolean().optional(),
    })
    .optional(),
}
const Button = z.strictObject({
  text: z.string(),
  callback_data: z.string().optional(),
  url: z.string().optional(),
  copy_text: z.strictObject({ text: z.string().min(1).max(256) }).optional(),
  switch_inline_query_current_chat: z.string().optional(),
  style: z.enum(['danger', 'success', 'primary']).optional(),
})
export type Button = z.infer<typeof Button>

const InlineKeyboard = z.strictObject({ inline_keyboard: z.array(z.array(Button)) })
export type InlineKeyboard = z.infer<typeof InlineKeyboard>

const Markup = z.union([
  InlineKeyboard,
  z.strictObject({
    keyboard: z.array(z.array(z.union([z.string(), z.strictObject({ text: z.string().min(1) })]))),
    resize_keyboard: z.boolean().optional(),
    one_time_keyboard: z.boolean().optional(),
    is_persistent: z.boolean().optional(),
    input_field_placeholder: z.string().min(1).max(64).optional(),
    selective: z.boolean().optional(),
  }),
  z.strictObject({ remove_keyboard: z.literal(true), selective: z.boolean().optional() }),
  z.strictObject({
    force_reply: z.literal(true),
    input_field_placeholder: z.string().min(1).max(64).optional(),
    selective: z.boolean().optional(),
  }),
])

const Sending = {
  chat_id: Id,
  disable_notification: z.boolean().optional(),
  protect_content: z.boolean().optional(),
  reply_parameters: z
    .strictObject({
      message_id: z.int(),
      chat_id: Id.optional(),
      allow_sending_without_reply: z.boolean().optional(),
    })
    .optional(),
  reply_markup: Markup.optional(),
}
const AllowedUpdates = z.array(z.string()).optional()
const Command = z.strictObject({
  command: z.string().regex(/^[a-z0-9_]{1,32}$/),
  description: z.string().min(1).max(256),
})
const CommandScope = {
  scope: z.strictObject({ type: z.string(), chat_id: Id.optional(), user_id: Id.optional() }).optional(),
  language_code: z
    .string()
    .regex(/^([a-z]{2})?$/)
    .optional(),
}

const ARGUMENTS = {
  getMe: z.strictObject({}),
  getUpdates: z.strictObject({
    offset: z.int().optional(),
    limit: z.int().min(1).max(100).default(100),
    timeout: z.int().min(0).default(0),
    allowed_updates: AllowedUpdates,
  }),
  setWebhook: z.strictObject({
    url: z.string(),
    secret_token: z
      .string()
      .regex(/^[\w-]{1,256}$/)
      .optional(),
    max_connections: z.int().min(1).max(100).default(40),
    allowed_updates: AllowedUpdates,
    drop_pending_updates: z.boolean().optional(),
    ip_address: z.string().optional(),
  }),
  deleteWebhook: z.strictObject({ drop_pending_updates: z.boolean().optional() }),
  getWebhookInfo: z.strictObject({}),
  sendMessage: z.strictObject({ ...Sending, ...Formatting, text: z.string() }),
  sendDocument: z.strictObject({
    ...Sending,
    document: z.instanceof(File),
    caption: z.string().optional(),
    parse_mode: z.literal('HTML').optional(),
  }),
  sendChatAction: z.strictObject({
    chat_id: Id,
    action: z.enum(['typing', 'upload_document', 'upload_photo', 'choose_sticker', 'find_location']),
  }),
  editMessageText: z.strictObject({
    ...Formatting,
    chat_id: Id,
    message_id: z.int(),
    text: z.string(),
    reply_markup: InlineKeyboard.optional(),
  }),
  editMessageReplyMarkup: z.strictObject({
    chat_id: Id,
    message_id: z.int(),
    reply_markup: InlineKeyboard.optional(),
  }),
  deleteMessage: z.strictObject({ chat_id: Id, message_id: z.int() }),
  answerCallbackQuery: z.strictObject({
    callback_query_id: z.string(),
    text: z.string().optional(),
    show_alert: z.boolean().optional(),
    url: z.string().optional(),
    cache_time: z.int().min(0).optional(),
  }),
  setMyCommands: z.strictObject({ commands: z.array(Command).max(100), ...CommandScope }),
  getMyCommands: z.strictObject(CommandScope),
  deleteMyCommands: z.strictObject(CommandScope),
  getFile: z.strictObject({ file_id: z.string() }),
} as const
export type Method = keyof typeof ARGUMENTS
export type Arguments<M extends Method> = z.output<(typeof ARGUMENTS)[M]>

export const isMethod = (name: string): name is Method => Object.hasOwn(ARGUMENTS, name)

export function readArguments<M extends Method>(method: M, given: Record<string, unknown>): Arguments<M> {
  const read = ARGUMENTS[method].safeParse(given)
  // The schema is this method's own; the compiler knows only the union of them all.
  if (read.success) return read.data as Arguments<M>
  const [issue] = read.error.issues
  throw badRequest(`wrong argument: ${issue?.path.join('.') || method}: ${issue?.message}`)
}

export function readText(
  args: { text: string; parse_mode?: 'HTML' | undefined; entities?: readonly Entity[] | undefined },
  tooLong: string,
  max = 4096,
): Formatted {
  const entities = [...(args.entities ?? [])]
  for (const { type, url, offset, length } of entities) {
    if (type === 'text_link' && !isWebAddress(url ?? ''))
      throw badRequest(`entity URL '${url}' is invalid: Wrong HTTP URL`)
    if (offset + length > args.text.length) throw badRequest('entity ends after the end of the text')
  }
  const formatted = args.parse_mode ? parseHtml(args.text) : trimmed({ text: args.text, entities })
  if (formatted.text.length > max) throw badRequest(tooLong)
  return formatted
}

/** Null where there are no buttons under the message. */
export function readKeyboard(markup: z.infer<typeof Markup> | undefined): InlineKeyboard | null {
  if (!markup || !('inline_keyboard' in markup)) return null
  const rows = markup.inline_keyboard.filter((row) => row.length > 0)
  for (const button of rows.flat()) checkButton(button)
  return rows.length === 0 ? null : { inline_keyboard: rows }
}

function checkButton({ text, callback_data: data, url, ...others }: Button): void {
  if (text.trim() === '')
    throw badRequest("can't parse inline keyboard button: the text of a button is empty")
  const other = others.copy_text ?? others.switch_inline_query_current_chat
  const actions = [data, url, other].filter((action) => action !== undefined && action !== '')
  if (actions.length === 0)
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
  if (actions.length > 1) throw badRequest("can't parse inline keyboard button: it may do one thing only")
  if (data !== undefined && Buffer.byteLength(data) > 64) throw badRequest('BUTTON_DATA_INVALID')
  if (url !== undefined && !isWebAddress(url))
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`)
}
