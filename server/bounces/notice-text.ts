import type { OpenedMail, Part } from './mime-parts.ts'
import { isReturned } from './original-mail.ts'
import { textOfPart } from './part-text.ts'
import { said } from './phrase-group.ts'

export type Notice = {
  /** What the server wrote, up to the mail that it returns. */
  lines: string[]
  /** The rest of the same text: most often the returned mail. */
  rest: string
}

const LINES_MAX = 2_000
const LINE_MAX = 1_000

export function readNotice(mail: OpenedMail): Notice {
  const text = noticeText(mail.parts)
  const all = text.split('\n', LINES_MAX).map((line) => line.slice(0, LINE_MAX).trimEnd())
  const end = all.findIndex((line, index) => isMark(line) || beginsHeaders(all, index))
  if (end < 0) return { lines: all, rest: '' }
  return { lines: all.slice(0, end), rest: all.slice(end).join('\n') }
}

/** Text before the returned mail; what comes after it is somebody's footer. Plain text, or HTML where that is all. */
function noticeText(parts: Part[]): string {
  const returnedAt = parts.findIndex(isReturned)
  const before = returnedAt < 0 ? parts : parts.slice(0, returnedAt)
  const readable = before.length > 0 ? before : parts.slice(returnedAt + 1)
  const plain = readable.filter(({ type }) => type.startsWith('text/') && type !== 'text/html')
  const text = plain.map(textOfPart).join('\n')
  // "Your mail reader cannot show this" is no notice, whatever its type says.
  if (text.includes('@') && text.trim().length > 40) return text
  const html = readable.filter(({ type }) => type === 'text/html')
  const untyped = readable.filter(
    ({ type }) => type === 'application/octet-stream' || type === 'message/plain',
  )
  return [text, ...[...html, ...untyped].map(textOfPart)].join('\n')
}

/** Lines that announce the returned mail; signs around them are left out. */
const MARKS = said(`
  below this line is a copy of the message | below is a copy of | this is a copy of the message | this is a copy of your message
  undelivered message follows | original message follows | original message as received | the header and top | original message headers | original message header
  unsent message follows | unsent message below | message header follows | message headers follow | message headers
  message text follows | returned message follows | returned message | returned content | header of the original message
  the header of the original message | the headers of the original message | headers of the original message | original headers
  message follows | undeliverable message follows | begin original message | a copy of your message | the message you sent follows
  the first * lines of the original | attached is a copy | copy of message | content of the original | start of returned
  ursprüngliche nachricht | originalnachricht | kopfzeilen der ursprünglichen | ursprüngliche nachrichtenkopfzeilen
  en-têtes de message d'origine | en-têtes du message d'origine | message d'origine | encabezados de mensajes originales
  encabezados del mensaje original | mensaje original | intestazioni originali | messaggio originale | mensagem original
  cabeçalhos de mensagens originais | oorspronkelijke berichtkoppen | oorspronkelijk bericht | исходное сообщение
  заголовки исходного сообщения | исходные заголовки | 元のメッセージ ヘッダー | 元のメッセージヘッダー | 元のメール | オリジナルメッセージ | 原始邮件标头 | 原始郵件標頭 | 원본 메시지 머리글
`)
/** Only these words and nothing else: as the beginning of a sentence they are said of anything. */
const LONE_MARKS = new Set([
  'original message',
  'original mail',
  'mail header',
  'header',
  'returned mail',
  'original',
])

function isMark(line: string): boolean {
  if (line.length > 120) return false
  const words = line
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replace(/^[\s\-=_*#+>:|.]{1,120}/, '')
    .replace(/[\s\-=_*#+:|.]{1,120}$/, '')
  return LONE_MARKS.has(words) || MARKS.some((mark) => words.startsWith(mark))
}

const HEADER =
  /^>?(?:received|return-path|message-id|mime-version|date|from|to|subject|delivered-to|x-[\w-]{2,40}|dkim-signature|content-type|reply-to): ?\S/i

/** Three headers in a row, of which the first is one that only a whole mail begins with. */
function beginsHeaders(lines: string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (
    !/^>?(?:received: (?:from|by|\()|return-path: ?<|x-[\w-]{2,40}: |delivered-to: |message-id: ?<|date: |from: |mime-version: )/i.test(
      line,
    )
  )
    return false
  const next = lines.slice(index + 1, index + 12).filter((other) => other.trim() === '' || HEADER.test(other))
  const blank = next.findIndex((other) => other.trim() === '')
  const headers = blank < 0 ? next.length : blank
  return headers >= (/^>?(?:received|return-path)/i.test(line) ? 2 : 4)
}
