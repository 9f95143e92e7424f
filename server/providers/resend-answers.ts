import { z } from 'zod'
import type { Outcome } from './provider.ts'

/** What Resend's answers, and the lack of one, mean for the mails of a call. */

/** `body` is null where it was no JSON. */
export type Answer = { status: number; retryAfter: string | null; body: unknown }
type Words = (text: string) => string

/** Longest wait that is believed: a wrong clock or header must not park a mail for a year. */
const LONGEST_WAIT_MS = 24 * 3_600_000

const Accepted = z.object({ id: z.string().min(1) })
const AcceptedGroup = z.object({
  data: z.array(Accepted),
  errors: z.array(z.object({ index: z.int().min(0), message: z.string().default('') })).default([]),
})
const Refused = z.object({ name: z.string().default(''), message: z.string().default('') })

/** One outcome for each of the call's `count` mails. */
export function outcomesOf(
  answer: Answer,
  count: number,
  { words, now }: { words: Words; now: Date },
): Outcome[] {
  const all = (outcome: Outcome) => Array.from({ length: count }, () => outcome)
  const { status, body } = answer
  if (status < 200 || status > 299) return all(refusalOfCall(answer, words, now))
  if (count > 1)
    return (
      eachOfGroup(body, count, words) ??
      all({ kind: 'unknown', reason: `Resend answered ${status} with another number of mails` })
    )
  const accepted = Accepted.safeParse(body)
  if (accepted.success) return [{ kind: 'accepted', id: accepted.data.id }]
  return [{ kind: 'unknown', reason: `Resend answered ${status} without an id` }]
}

/** The ids are those of the mails that have no error, in order; null when they do not add up. */
function eachOfGroup(body: unknown, count: number, words: Words): Outcome[] | null {
  const group = AcceptedGroup.safeParse(body)
  if (!group.success) return null
  const { data, errors } = group.data
  const messages = new Map(errors.map(({ index, message }) => [index, message]))
  const isComplete = messages.size === errors.length && errors.every(({ index }) => index < count)
  if (!isComplete || data.length + errors.length !== count) return null
  const accepted = data.values()
  return Array.from({ length: count }, (_, index) => {
    const message = messages.get(index)
    if (message !== undefined) return { kind: 'rejected', reason: words(`Resend refused it: ${message}`) }
    const id = accepted.next().value?.id
    return id === undefined ? { kind: 'unknown', reason: 'Resend gave no id' } : { kind: 'accepted', id }
  })
}

function refusalOfCall({ status, retryAfter, body }: Answer, words: Words, now: Date): Outcome {
  const { name, message } = refusedIn(body)
  const reason = inItsWords(status, message, words)
  const later = (afterMs: number | null): Outcome => ({
    kind: 'try-later',
    reason,
    afterMs,
    about: 'account',
  })

  if (status === 429 || status === 503) return later(waitAfter(retryAfter, name, now))
  // The first call under this key is still under way, or was another: in both cases it may have been taken.
  if (status === 409) return { kind: 'unknown', reason }
  if (status >= 500) return { kind: 'unknown', reason }
  // A redirect comes from something between us and Resend, a timeout (408) means that it did not read the whole call.
  if (status < 400 || status === 408) return later(null)
  // A wrong key or address of the API is the operator's to mend; the recipients must not lose their mail by it.
  if (isAboutTheKey(status, name, message) || status === 404 || status === 405) return later(null)
  // Nor by a refusal in words that are not Resend's: a firewall's page, for example. Too long is too long, though.
  if (name === '' && message === '' && status !== 413) return later(null)
  return { kind: 'rejected', reason }
}

const refusedIn = (body: unknown): z.infer<typeof Refused> => {
  const refused = Refused.safeParse(body)
  return refused.success ? refused.data : { name: '', message: '' }
}

const inItsWords = (status: number, message: string, words: Words): string =>
  words(`Resend answered ${status}${message ? `: ${message}` : ''}`)

const isAboutTheKey = (status: number, name: string, message: string): boolean =>
  status === 401 ||
  (status <= 403 && (/api_key$|^invalid_permission$/.test(name) || /\bapi key\b/i.test(message)))

function waitAfter(header: string | null, name: string, now: Date): number | null {
  const told = header === null ? Number.NaN : Number(header) * 1000 || Date.parse(header) - now.getTime()
  if (told > 0) return Math.min(told, LONGEST_WAIT_MS)
  // A daily quota starts anew at midnight UTC; a monthly one is asked about again then.
  if (name.endsWith('_quota_exceeded')) return LONGEST_WAIT_MS - (now.getTime() % LONGEST_WAIT_MS)
  return null
}

/** What a question that changes nothing was answered: null, or what speaks against sending now. */
export function objectionOf({ status, body }: Answer, words: Words): string | null {
  if (status >= 200 && status <= 299) return null
  const { name, message } = refusedIn(body)
  // A key that may send and not ask is all we need.
  if (name === 'restricted_api_key' && (status === 401 || /only send/i.test(message))) return null
  return inItsWords(status, message, words)
}

/** Failures that come before the first byte of the request is written: nothing can have been accepted. */
const BEFORE_THE_BODY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.+|ERR_SSL_.+|CERT_.+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+|HOSTNAME_MISMATCH)$/

export function fromFailure(error: unknown, words: Words): Outcome {
  const reason = unreachable(error, words)
  if (earlyCode(error) === undefined) return { kind: 'unknown', reason }
  return { kind: 'try-later', reason, afterMs: null, about: 'account' }
}

export function unreachable(error: unknown, words: Words): string {
  const code = earlyCode(error)
  if (code !== undefined) return `Resend cannot be reached (${code})`
  const name = error instanceof Error ? error.name : ''
  const isSilence = name === 'TimeoutError' || name === 'AbortError'
  const detail = isSilence ? 'no answer in time' : (causes(error)[0]?.code ?? 'connection lost')
  return words(`Resend did not answer (${detail})`)
}

const earlyCode = (error: unknown): string | undefined =>
  causes(error).find(({ code, syscall }) => syscall === 'connect' || BEFORE_THE_BODY.test(code))?.code

/** Those with a code along the chain; a refused connection to a name with two addresses is an AggregateError. */
function causes(error: unknown): { code: string; syscall: string }[] {
  if (!(error instanceof Error)) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap(causes) : causes(error.cause)
  if (!('code' in error) || typeof error.code !== 'string') return inner
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  return [{ code: error.code, syscall }, ...inner]
}
