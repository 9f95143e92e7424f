import { AppError } from './errors.ts'

/** Line breaks of every kind: in a header each could start another header. U+0085 is one of the control characters. */
const BREAKING = /[\p{Cc}\u2028\u2029]/u

/** Refuses what may not stand in a header, in words that name the field. */
export function requireOneLine(what: string, text: string): void {
  if (BREAKING.test(text)) throw new AppError(400, `${what} holds a line break or another control character`)
}

/** A text of several lines may hold anything but NUL, which neither mail nor the database can carry. */
export function requireStorable(what: string, text: string): void {
  if (text.includes('\0')) throw new AppError(400, `${what} holds a NUL character, which cannot be sent`)
}
