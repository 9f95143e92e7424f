/** What the buttons of a letter hold: at most 64 bytes. */

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

export type LetterAction =
  | 'go-on'
  | 'anew'
  | 'subject'
  | 'body'
  | 'recipients'
  | 'new-list'
  | 'done'
  | 'ask-discard'
  | 'discard'

export const pressOf = (letterId: string, action: LetterAction): string => `letter/${letterId}/${action}`
export const LETTER_PRESS = new RegExp(`^letter/(${UUID})/([a-z-]+)$`)

/** These hold what was shown when they were drawn: whoever presses them means that, and nothing that came later. */
export const sendPressOf = (
  letterId: string,
  { version, leftOut }: { version: string; leftOut: string },
  now: number,
): string => `letter/${letterId}/go/${version}${leftOut}/${Math.floor(now / 60_000).toString(36)}`
export const SEND_PRESS = new RegExp(`^letter/(${UUID})/go/([\\w-]{7})([\\w-]{3})/([0-9a-z]{1,7})$`)
export const leavePressOf = (letterId: string, version: string): string =>
  `letter/${letterId}/leave/${version}`
export const LEAVE_PRESS = new RegExp(`^letter/(${UUID})/leave/([\\w-]{7})$`)

export const minutesSince = (shownAt: string, now: number): number =>
  Math.floor(now / 60_000) - Number.parseInt(shownAt, 36)

export const WRITE_PRESS = 'new-letter'
export const fromPressOf = (templateId: string): string => `new-letter/${templateId}`
export const FROM_PRESS = new RegExp(`^new-letter/(${UUID})$`)

export const templatePressOf = (templateId: string, page: number): string => `template/${templateId}/${page}`
export const TEMPLATE_PRESS = new RegExp(`^template/(${UUID})/(\\d{1,5})$`)
/** A page of the templates: to look at, or to choose one for a letter. */
export const pagePressOf = (place: 'templates' | 'choose', page: number): string => `${place}/${page}`
