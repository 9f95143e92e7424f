import { z } from 'zod'
import { type HttpAnswer, type HttpApi, LONGEST_WAIT_MS, retryAfterMs } from './http-api.ts'
import type { Outcome, Verdict } from './provider.ts'

/** What Resend's answers, and the lack of one, mean for the mails of a call. */

type Words = Pick<HttpApi, 'words' | 'answered'>

/** A used-up quota is asked about again so soon: whoever buys a larger one must not wait for the next day. */
const QUOTA_MS = 3_600_000

const Accepted = z.object({ id: z.string().min(1) })
const AcceptedGroup = z.object({
  data: z.array(Accepted),
  errors: z.array(z.object({ index: z.int().min(0), message: z.string().default('') })).default([]),
})
const Refused = z.object({ name: z.string().default(''), message: z.string().default('') })

/** One outcome for each of the call's `count` mails. */
export function outcomesOf(
  answer: HttpAnswer,
  count: number,
  { api, now }: { api: Words; now: Date },
): Outcome[] {
  const all = (outcome: Outcome) => Array.from({ length: count }, () => outcome)
  const { status, body } = answer
  if (status < 200 || status > 299) return all(refusalOfCall(answer, api, now))
  if (count > 1)
    return (
      eachOfGroup(body, count, api) ??
      all({ kind: 'unknown', reason: `Resend answered ${status} with another number of mails` })
    )
  const accepted = Accepted.safeParse(body)
  if (accepted.success) return [{ kind: 'accepted', id: accepted.data.id }]
  return [{ kind: 'unknown', reason: `Resend answered ${status} without an id` }]
}

/** The ids are those of the mails that have no error, in order; null when they do not add up. */
function eachOfGroup(body: unknown, count: number, { words }: Words): Outcome[] | null {
  const group = AcceptedGroup.safeParse(body)
  if (!group.success) return null
  const { data, errors } = group.data
  const messages = new Map(errors.map(({ index, message }) => [index, message]))
  const isComplete = messages.size === errors.length && errors.every(({ index }) => index < count)
  if (!isComplete || data.length + errors.length !== count) return null
  const accepted = data.values()
  return Array.from({ length: count }, (_, index) => {
    const message = messages.get(index)
    if (message !== undefined) return refusalOfOne(message, words(`Resend refused it: ${message}`))
    const id = accepted.next().value?.id
    return id === undefined ? { kind: 'unknown', reason: 'Resend gave no id' } : { kind: 'accepted', id }
  })
}

const refusalOfOne = (message: string, reason: string): Outcome =>
  isAboutTheDomain(message) ? untilVerified(reason) : { kind: 'rejected', reason }

function refusalOfCall({ status, headers, body }: HttpAnswer, api: Words, now: Date): Outcome {
  const { name, message } = refusedIn(body)
  const reason = api.answered(status, message)
  const later = (afterMs: number | null): Outcome => laterBy(afterMs, reason)

  if (status === 429 || status === 503) return later(waitAfter(headers.get('retry-after'), name, now))
  // The first call under this key is still under way, or had other words: in both cases it may have been taken.
  if (status === 409) return { kind: 'unknown', reason, isFinal: name === 'invalid_idempotent_request' }
  if (status >= 500) return { kind: 'unknown', reason }
  // A redirect comes from something between us and Resend, a timeout (408) means that it did not read the whole call.
  if (status < 400 || status === 408) return later(null)
  // A wrong key or address of the API is the operator's to mend; the recipients must not lose their mail by it.
  if (isAboutTheKey(status, name, message) || status === 404 || status === 405) return later(null)
  if (status === 403 && isAboutTheDomain(message)) return untilVerified(reason)
  // Nor by a refusal in words that are not Resend's: a firewall's page, for example. Too long is too long, though.
  if (name === '' && message === '' && status !== 413) return later(null)
  return { kind: 'rejected', reason }
}

const laterBy = (afterMs: number | null, reason: string): Outcome => ({
  kind: 'try-later',
  reason,
  afterMs,
  about: 'account',
})

/** A domain whose DNS records are gone is verified no longer: that is nobody's fault to whom it writes. */
const isAboutTheDomain = (message: string): boolean =>
  /domain is not verified|only send testing emails|verify (a|your) domain/i.test(message)

const untilVerified = (reason: string): Outcome =>
  laterBy(null, `${reason.replace(/\.$/, '')}. Verify the domain of the sender at Resend, under Domains`)

const refusedIn = (body: unknown): z.infer<typeof Refused> => {
  const refused = Refused.safeParse(body)
  return refused.success ? refused.data : { name: '', message: '' }
}

const isAboutTheKey = (status: number, name: string, message: string): boolean =>
  status === 401 ||
  (status <= 403 && (/api_key$|^invalid_permission$/.test(name) || /\bapi key\b/i.test(message)))

function waitAfter(header: string | null, name: string, now: Date): number | null {
  const told = retryAfterMs(header, now)
  if (!name.endsWith('_quota_exceeded')) return told
  // A daily quota starts anew at midnight UTC, whatever is told beside it.
  const untilMidnight = LONGEST_WAIT_MS - (now.getTime() % LONGEST_WAIT_MS)
  return Math.max(told ?? 0, Math.min(QUOTA_MS, untilMidnight))
}

/** What a question that changes nothing was answered: null, or what speaks against sending now. */
export function objectionOf({ status, body }: HttpAnswer, api: Words): string | null {
  if (status >= 200 && status <= 299) return null
  const { name, message } = refusedIn(body)
  // A key that may send and not ask is all we need.
  if (maySendOnly(status, name, message)) return null
  return api.answered(status, message)
}

const maySendOnly = (status: number, name: string, message: string): boolean =>
  name === 'restricted_api_key' && (status === 401 || /only send/i.test(message))

const Domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) })

/** Whether this key may send from this domain, as far as Resend tells. */
export function verdictOf({ status, body }: HttpAnswer, domain: string, api: Words): Verdict {
  if (status >= 200 && status <= 299) return verdictOnDomain(body, domain)
  const { name, message } = refusedIn(body)
  if (maySendOnly(status, name, message))
    return {
      isGood: true,
      note: `This key may only send, so Resend did not say whether ${domain} is verified.`,
    }
  if (isAboutTheKey(status, name, message))
    return {
      isGood: false,
      error: 'Resend does not know this API key. Copy it again from the Resend dashboard.',
    }
  return { isGood: false, error: `${api.answered(status, message)}. Please try again in a moment.` }
}

function verdictOnDomain(body: unknown, domain: string): Verdict {
  const domains = Domains.safeParse(body)
  if (!domains.success)
    return { isGood: false, error: 'Resend answered in a way that Postrider does not know.' }
  const found = domains.data.data.find(({ name }) => name.toLowerCase() === domain.toLowerCase())
  if (found?.status === 'verified') return { isGood: true, note: null }
  return {
    isGood: false,
    error: `The key works, but ${domain} is not verified at Resend${found ? ` (it is "${found.status}")` : ''}. Verify the domain there first.`,
  }
}
