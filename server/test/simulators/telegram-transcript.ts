import { toHtml } from './telegram-markup.ts'
import { buttonsOf, type Message, type Room, type User } from './telegram-world.ts'

/** A message as somebody in the chat sees it. */
export type Seen = {
  id: number
  from: string
  isFromBot: boolean
  /** Plain, or the caption of a file. */
  text: string
  /** With its format visible. */
  html: string
  /** The words on them, row by row. */
  buttons: string[][]
  file: { id: string; name: string } | null
  replyTo: number | null
  isEdited: boolean
  /** Came without a sound. */
  isSilent: boolean
}

/** What changes from run to run, and what is written in its place. */
export type Mask = readonly (readonly [RegExp, string])[]

export function seen(room: Room, message: Message, bot: User): Seen {
  const text = message.text ?? message.caption ?? ''
  const { document } = message
  return {
    id: message.message_id,
    from: message.from === bot ? 'Bot' : message.from.first_name,
    isFromBot: message.from === bot,
    text,
    html: toHtml({ text, entities: message.entities ?? [] }),
    buttons: buttonsOf(message).map((row) => row.map((button) => button.text)),
    file: document ? { id: document.file_id, name: document.file_name ?? '' } : null,
    replyTo: message.reply_to_message?.message_id ?? null,
    isEdited: message.edit_date !== undefined,
    isSilent: room.silent.has(message.message_id),
  }
}

/** The chat as it stands now, for people to read. */
export function transcriptOf(room: Room, bot: User, mask: Mask = []): string {
  const lines = room.happenings.flatMap((happening) => {
    if (happening.kind === 'press') {
      const { who, label, answer } = happening
      const said = answer?.text ? [`  (${answer.text})`] : []
      return [`${who.first_name} presses [${label}]`, ...said]
    }
    const message = room.messages.get(happening.id)
    return message ? linesOf(room, message, bot) : []
  })
  return mask.reduce((text, [pattern, word]) => text.replaceAll(everywhere(pattern), word), lines.join('\n'))
}

function linesOf(room: Room, message: Message, bot: User): string[] {
  const { from, text } = seen(room, message, bot)
  const answered = message.reply_to_message
  const start = (answered?.text ?? answered?.caption ?? '').split('\n')[0]?.slice(0, 30)
  const [first = '', ...rest] = `${answered ? `(to “${start}”) ` : ''}${thingIn(message)}${text}`.split('\n')
  const rows = buttonsOf(message).map(
    (row) => `  ${row.map((button) => `[${button.text}${button.url === undefined ? '' : ' ↗'}]`).join(' ')}`,
  )
  return [`${from}: ${first}`.trimEnd(), ...rest.map((line) => `  ${line}`.trimEnd()), ...rows]
}

function thingIn({ document, photo, sticker, voice }: Message): string {
  if (document) return `<${document.file_name}> `
  if (photo) return '<photo> '
  if (sticker) return '<sticker> '
  return voice ? '<voice> ' : ''
}

const everywhere = (pattern: RegExp): RegExp =>
  pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
