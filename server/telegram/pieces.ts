import { MESSAGE_MAX } from './markup.ts'

/** What is longer than a message is sent in pieces. A client cuts where it finds it best, some soon after the half. */
export const mayBeCut = (text: string): boolean => text.length > MESSAGE_MAX / 2

/** A client sends the pieces one right after the other. */
export const PIECES_SECONDS = 5

/** By the dates of messages, in seconds. */
export const isRightAfter = (earlier: number, date: number): boolean => date - earlier < PIECES_SECONDS

/** Nothing has failed: what was said may go on, and is handled again when it is known whether it does. */
export class MoreMayCome extends Error {
  override name = 'MoreMayCome'
  readonly milliseconds: number
  constructor(milliseconds: number) {
    super('more of it may come')
    this.milliseconds = milliseconds
  }
}
