import { GrammyError } from 'grammy'
import type { Document } from 'grammy/types'
import { readAddressText, textOf } from '../../contract/addresses/address-file.ts'
import { createPlaces } from '../platform/places.ts'
import { TelegramAway } from './calls.ts'
import type { Chat } from './chat.ts'

/** The content of a file that somebody sent, or a sentence that says why there is none. */
export type Received<T> = (T & { problem?: never }) | { problem: string }

/** Files that people send to the bot. */
export type ReceivedFiles = {
  /** A list of addresses. */
  list(chat: Chat): Promise<Received<{ name: string; text: string; isCsv: boolean }>>
  /** A text to be sent as it is. */
  text(chat: Chat): Promise<Received<{ name: string; text: string }>>
}

type Needs = { token: string; apiRoot: URL; signal: AbortSignal; timeoutMs?: number }

/** What the Bot API gives a bot. */
const MOST = 20 * 1024 * 1024
const TIMEOUT_MS = 30_000
const BOOK = /\.(xlsx?|xlsm|xlsb|ods|numbers)$/i
const DOCUMENT = /\.(docx?|odt|rtf|pdf|pages|html?|eml)$/i
const TEXT_NAME = /\.(txt|text|csv|tsv|md)$/i

export function createReceivedFiles({
  token,
  apiRoot,
  signal,
  timeoutMs = TIMEOUT_MS,
}: Needs): ReceivedFiles {
  // One at a time: a file is many times as large in memory while it is read.
  const places = createPlaces(1)

  async function receive<T>(
    chat: Chat,
    read: (name: string, bytes: Buffer) => T,
  ): Promise<Received<{ content: T }>> {
    const file = chat.message?.document
    if (!file) return { problem: NOT_A_FILE }
    const name = file.file_name ?? 'The file'
    const problem = problemWith(file, name)
    if (problem !== null) return { problem }
    const place = await places.take()
    try {
      const bytes = await download(chat, file.file_id)
      return bytes === 'too-large' ? { problem: tooLarge(name) } : { content: read(name, bytes) }
    } catch (error) {
      // Whoever stops leaves it to those who go on.
      if (signal.aborted || !isAway(error)) throw error
      return { problem: `I could not get ${name} from Telegram just now. Please send it again` }
    } finally {
      place.release()
    }
  }

  async function download(chat: Chat, fileId: string): Promise<Buffer | 'too-large'> {
    const { file_path: path, file_size: size = 0 } = await chat.api.getFile(fileId)
    if (size > MOST) return 'too-large'
    const place = (path ?? '').split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${apiRoot.pathname.replace(/\/$/, '')}/file/bot${token}/${place}`, apiRoot)
    try {
      const answer = await fetch(url, {
        // Who sent us elsewhere would be given the token.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`)
      return await atMost(answer.body)
    } catch {
      // Without what went wrong: that may name the address, and with it the token.
      throw new TelegramAway('a file could not be fetched')
    }
  }

  return {
    async list(chat) {
      const received = await receive(chat, (name, bytes) => ({
        name,
        ...readAddressText(name, chat.message?.document?.mime_type ?? '', bytes),
      }))
      if (received.problem !== undefined) return received
      const { content } = received
      return content.error === undefined ? content : { problem: content.error.replace(/\.$/, '') }
    },

    async text(chat) {
      const received = await receive(chat, (name, bytes) => ({ name, text: textOf(bytes) }))
      if (received.problem !== undefined) return received
      const { name, text } = received.content
      if (text.includes('\0')) return { problem: `${name} is not a text. Please send a .txt file` }
      return { name, text: text.replace(/\r\n?/g, '\n').trim() }
    },
  }
}

const NOT_A_FILE = 'I can read words here, or a file of text; not pictures, voices or stickers'

const tooLarge = (name: string): string =>
  `${name} is larger than 20 MB, and Telegram gives me nothing larger. Please split it, or leave out columns`

/** Telegram has it no more, or does not give it now. */
const isAway = (error: unknown): boolean =>
  error instanceof TelegramAway || (error instanceof GrammyError && error.error_code === 400)

function problemWith({ file_size: size = 0, mime_type: type = '' }: Document, name: string): string | null {
  // By its name first: Windows calls every CSV a work of Excel.
  const isText = TEXT_NAME.test(name) || (type.startsWith('text/') && !DOCUMENT.test(name))
  if (isText) return size > MOST ? tooLarge(name) : null
  return BOOK.test(name) || /spreadsheet|ms-excel/.test(type)
    ? `I cannot read ${name}: please save it as CSV, and send that`
    : `I cannot read ${name}: please send a file of plain text, named .txt or .csv`
}

async function atMost(body: ReadableStream<Uint8Array>): Promise<Buffer | 'too-large'> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > MOST) return 'too-large'
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
