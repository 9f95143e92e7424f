import { GrammyError } from 'grammy'
import type { Document, File } from 'grammy/types'
import { textOf } from '../../contract/addresses/address-file.ts'
import { createPlaces } from '../platform/places.ts'
import type { AddressList } from './address-list.ts'
import { TelegramAway } from './calls.ts'
import type { Chat } from './chat.ts'
import { readList } from './list-reader.ts'
import { oneLine } from './markup.ts'

/** The content of a file that somebody sent, or a sentence that says why there is none. */
type Received<T> = (T & { problem?: never }) | { problem: string }

/** Files that people send to the bot. */
export type ReceivedFiles = {
  /** A list of at most so many addresses. */
  list(
    chat: Chat,
    most: number,
  ): Promise<Received<{ name: string } & Extract<AddressList, { entries: string[] }>>>
  /** A text to be sent as it is. */
  text(chat: Chat): Promise<Received<{ name: string; text: string }>>
}

type Needs = { token: string; apiRoot: URL; signal: AbortSignal; timeoutMs?: number }

type Failure = 'too-large' | 'away'

/** What the Bot API gives a bot. */
const MOST = 20 * 1024 * 1024
const TIMEOUT_MS = 30_000
const NAME_SHOWN = 100
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

  async function receive<T extends object>(
    chat: Chat,
    read: (file: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }) => Promise<Received<T>>,
  ): Promise<Received<T & { name: string }>> {
    const file = chat.message?.document
    if (!file) return { problem: NOT_A_FILE }
    const { file_name: fileName = '', mime_type: type = '' } = file
    const name = oneLine(fileName, NAME_SHOWN) || 'The file'
    const problem = problemWith(file, name)
    if (problem !== null) return { problem }
    const bytes = await download(chat, file.file_id)
    if (bytes === 'too-large') return { problem: tooLarge(name) }
    if (bytes === 'away')
      return { problem: `I could not get ${name} from Telegram just now. Please send it again` }
    const place = await places.take()
    try {
      const received = await read({ name: fileName, type, bytes })
      return received.problem === undefined
        ? { ...received, name }
        : { problem: `${name} ${received.problem}` }
    } finally {
      place.release()
    }
  }

  async function download(chat: Chat, fileId: string): Promise<Uint8Array<ArrayBuffer> | Failure> {
    try {
      return await fetchFile(await chat.api.getFile(fileId))
    } catch (error) {
      // Whoever stops leaves it to those who go on.
      if (signal.aborted) throw error
      if (error instanceof GrammyError && /too big/.test(error.description)) return 'too-large'
      if (error instanceof TelegramAway || error instanceof GrammyError) return 'away'
      throw error
    }
  }

  async function fetchFile({ file_path: path = '' }: File): Promise<Uint8Array<ArrayBuffer> | Failure> {
    const place = path.split('/').map(encodeURIComponent).join('/')
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
    list: (chat, most) =>
      receive(chat, async (file) => {
        const list = await readList(file, most)
        if (!list) return { problem: 'is not built like a list of addresses: reading it takes too long' }
        return list.error === undefined ? list : { problem: 'is not a text. Please save the list as CSV' }
      }),
    text: (chat) =>
      receive<{ text: string }>(chat, async ({ bytes }) => {
        const text = textOf(bytes)
        if (text.includes('\0')) return { problem: 'is not a text. Please send a .txt file' }
        return { text: text.replace(/\r\n?/g, '\n').trim() }
      }),
  }
}

const NOT_A_FILE = 'I can read words here, or a file of text; not pictures, voices or stickers'

const tooLarge = (name: string): string =>
  `${name} is larger than 20 MB, and Telegram gives me nothing larger. Please split it, or leave out columns`

function problemWith(file: Document, shown: string): string | null {
  const { file_size: size = 0, mime_type: type = '', file_name: name = '' } = file
  // By its name first: Windows calls every CSV a work of Excel.
  const isText = TEXT_NAME.test(name) || (type.startsWith('text/') && !DOCUMENT.test(name))
  if (isText) return size > MOST ? tooLarge(shown) : null
  return BOOK.test(name) || /spreadsheet|ms-excel/.test(type)
    ? `I cannot read ${shown}: please save it as CSV, and send that`
    : `I cannot read ${shown}: please send a file of plain text, named .txt or .csv`
}

async function atMost(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | Failure> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > MOST) return 'too-large'
    pieces.push(piece)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
