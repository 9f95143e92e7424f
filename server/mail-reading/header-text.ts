import { isUtf8 } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import type { Header } from '../bounces/mail-headers.ts'

/** Enough for a subject in any encoding; a longer run of encoded words is not decoded further. */
const DECODED_MAX = 8_000

const western = new TextDecoder('windows-1252')
const japanese = new TextDecoder('iso-2022-jp')

/** The value of a header, of which the reader knows only bytes: UTF-8 (RFC 6532), or what older mailers wrote. */
export function bytesAsText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  if (value.includes('\u001b$')) return japanese.decode(bytes)
  return isUtf8(bytes) ? bytes.toString('utf8') : western.decode(bytes)
}

/** For people: encoded words (RFC 2047) decoded. */
export function headerText(value: string): string {
  const text = bytesAsText(value).slice(0, DECODED_MAX)
  return text.includes('=?') ? decodeWords(text) : text
}

export const valuesOf = (headers: Header[], name: string): string[] =>
  headers.filter((header) => header.name === name).map(({ value }) => value)
