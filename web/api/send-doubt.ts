import { SENT_BEFORE } from '../../contract/sent-before.ts'
import { ApiError, messageOf } from './client.ts'

/** What a failed send leaves to be told for longer than a toast. */
export type SendDoubt =
  /** It may have been sent. */
  | 'unanswered'
  /** It was, as it stood before it was changed. */
  | 'sent before'
  /** It may have been, as it stood before; what stands here now would not be recognised as the same. */
  | 'maybe sent before'

/** Whether what is sent now goes out beside what was sent, or may have been. */
export const isAnotherEmail = (doubt: SendDoubt | null): boolean =>
  doubt === 'sent before' || doubt === 'maybe sent before'

/**
 * Without an answer nobody knows; an error of the server, or of something between, may come after the mail was taken.
 * A refusal tells of this try only: it settles nothing about an earlier one.
 */
export function doubtAfter(error: unknown, before: SendDoubt | null): SendDoubt | null {
  if (!(error instanceof ApiError) || error.status >= 500) return 'unanswered'
  return isSentBefore(error) ? 'sent before' : before
}

/** Why a send failed, for people: they know nothing of keys. */
export const reasonOf = (error: unknown, otherwise: string): string =>
  isSentBefore(error)
    ? 'An earlier version was already sent, so this one was not sent'
    : messageOf(error, otherwise)

/** Beside the reason that a failed send gives. */
export const detailOf = (doubt: SendDoubt | null): string | undefined =>
  doubt === 'unanswered' ? 'It may have been sent all the same. Sending it again sends it once.' : undefined

export const isSentBefore = (error: unknown): boolean =>
  error instanceof ApiError && error.message.includes(SENT_BEFORE)
