import type { Outcome } from '../provider.ts'
import { providersWords } from '../providers-words.ts'
import type { Reply } from './replies.ts'

/**
 * Where a mail stands: the command whose answer is awaited. `body`: its text is being written and the final dot has not
 * left; `dot`: the final dot was handed to the socket.
 */
export type Stage = 'mail' | 'rcpt' | 'data' | 'body' | 'dot'

/** 503: the session is in disorder, not the mail. 530, 534, 535, 538: our credentials, or the lack of them. */
const NOT_THE_MAILS_FAULT = new Set([503, 530, 534, 535, 538])

/** How Gmail says, of every mail, that the account has sent all that it may in a day. */
const DAILY_LIMIT = /\b5\.4\.5\b.{0,20}\bdaily\b.{0,40}\blimit\b/i
const DAILY_LIMIT_MS = 3_600_000

/** What a reply makes of the mail, or null where it may go on to the next stage. */
export function outcomeOfReply(stage: Stage, reply: Reply, secrets: readonly string[]): Outcome | null {
  const { code } = reply
  if (stage === 'dot' && code < 300) return { kind: 'accepted', id: wordsOf(reply, secrets) }
  if (stage === 'data' && code === 354) return null
  if ((stage === 'mail' || stage === 'rcpt') && code < 300) return null
  const reason = wordsOf(reply, secrets)
  if (code === 421) return { ...accountLater(reason), isAmidMail: true }
  if (NOT_THE_MAILS_FAULT.has(code)) return accountLater(reason)
  if (code === 550 && DAILY_LIMIT.test(reply.text))
    return { ...accountLater(reason), afterMs: DAILY_LIMIT_MS }
  if (code >= 500) return { kind: 'rejected', reason }
  if (code >= 400) return { kind: 'try-later', reason, afterMs: null, about: 'mail' }
  // Neither yes nor no: a relay that has lost the thread.
  return outcomeOfEnd(stage, `Unexpected reply: ${reason}`)
}

/** What a cut or silence makes of the mail. Only the final dot hands it over, so before it nothing can have been taken. */
export function outcomeOfEnd(stage: Stage, reason: string): Outcome {
  return stage === 'dot' ? { kind: 'unknown', reason } : { ...accountLater(reason), isAmidMail: true }
}

/** What a stop from our side makes of the mail. */
export function outcomeOfStop(wasDotWritten: boolean): Outcome {
  return wasDotWritten
    ? { kind: 'unknown', reason: 'Stopped while sending' }
    : accountLater('Stopped before sending')
}

export const accountLater = (reason: string) =>
  ({ kind: 'try-later', reason, afterMs: null, about: 'account' }) as const satisfies Outcome

export const wordsOf = (reply: Reply, secrets: readonly string[]): string =>
  providersWords(`${reply.code} ${reply.text}`, secrets)
