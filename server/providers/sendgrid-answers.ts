import { z } from 'zod'
import { type HttpAnswer, type HttpApi, LONGEST_WAIT_MS, retryAfterMs } from './http-api.ts'
import type { Outcome } from './provider.ts'

/** What SendGrid's answer to a sending call means for its mails. */

export type Words = Pick<HttpApi, 'words' | 'answered'>

export type Reading =
  | { kind: 'all'; outcome: Outcome }
  /** Refused for these alone, by their places in the call. Nobody's mail was taken: the others can come again. */
  | { kind: 'some-refused'; refusals: ReadonlyMap<number, Outcome> }
  /** With fewer recipients it may fit; if there is only one, this is its outcome. */
  | { kind: 'too-large'; outcome: Outcome }

const Complaint = z.object({ message: z.string().default(''), field: z.string().nullable().default(null) })
const Refused = z.object({ errors: z.array(Complaint) })
type Complaint = z.infer<typeof Complaint>

type Context = { api: Words; now: Date; from: string }

/** `count` is the number of recipients in the call. */
export function readAnswer(answer: HttpAnswer, count: number, context: Context): Reading {
  const { status, headers } = answer
  // SendGrid takes a call whole or not at all. The id is that of the call; each mail's own id begins with it. An
  // answer without one is an acceptance as well: events find their mails by the tag.
  if (status === 202) return all({ kind: 'accepted', id: headers.get('x-message-id') ?? '' })
  // 200 says "checked, and nothing sent", which we never ask for: whoever answers so has not said that the mail is on
  // its way, nor that it is not.
  if (status >= 200 && status <= 299)
    return all({
      kind: 'unknown',
      reason: `SendGrid answered ${status}, which does not say that it was taken`,
    })
  return readRefusal(answer, count, context)
}

function readRefusal(answer: HttpAnswer, count: number, { api, now, from }: Context): Reading {
  const { status, headers } = answer
  const complaints = complaintsIn(answer.body)
  const reason = api.answered(status, sentenceOf(complaints))
  const later = (afterMs: number | null, words = reason) =>
    all({ kind: 'try-later', reason: words, afterMs, about: 'account' })

  if (status === 429) return later(retryAfterMs(headers.get('retry-after'), now) ?? untilReset(headers, now))
  if (status === 503) return later(retryAfterMs(headers.get('retry-after'), now))
  if (status >= 500) return all({ kind: 'unknown', reason })
  // A redirect comes from something between us and SendGrid, a timeout (408) means that it did not read the whole call.
  if (status < 400 || status === 408) return later(null)
  // The key, the plan and the sender are the user's to mend; the recipients must not lose their mail by it.
  if (status === 403 && complaints.some(isAboutSender))
    return later(null, api.words(`${howToVerify(from)} ${reason}`))
  if (status === 401 || status === 403) return later(null)
  // The same for a wrong address of the API, or a gateway in between that does not let such calls through.
  if (status === 404 || status === 405 || status === 406) return later(null)
  if (status === 413) return { kind: 'too-large', outcome: { kind: 'rejected', reason } }
  // Nor by a refusal in words that are not SendGrid's: a firewall's page, for example.
  if (complaints.length === 0) return later(null)
  const refusals = status === 400 ? refusalsByPlace(complaints, count, api) : null
  return refusals ? { kind: 'some-refused', refusals } : all({ kind: 'rejected', reason })
}

const all = (outcome: Outcome): Reading => ({ kind: 'all', outcome })

/** Null when something is wrong with more than single recipients: then the rest would be refused as well. */
function refusalsByPlace(
  complaints: readonly Complaint[],
  count: number,
  { words }: Words,
): ReadonlyMap<number, Outcome> | null {
  const refusals = new Map<number, Outcome>()
  for (const complaint of complaints) {
    const place = Number(
      /^personalizations[.[](\d{1,4})(?!\d)/.exec(complaint.field ?? '')?.[1] ?? Number.NaN,
    )
    if (!(place < count)) return null
    const reason = words(`SendGrid refused it: ${complaint.message || 'it is not valid'}`)
    if (!refusals.has(place)) refusals.set(place, { kind: 'rejected', reason })
  }
  return refusals
}

export function complaintsIn(body: unknown): Complaint[] {
  const refused = Refused.safeParse(body)
  return refused.success ? refused.data.errors.filter(({ message, field }) => message || field) : []
}

/** In SendGrid's words, with the field that each of them is about. */
export const sentenceOf = (complaints: readonly Complaint[]): string =>
  complaints
    .map(({ message, field }) => (field === null || field === '' ? message : `${message} (${field})`))
    .join(' ')

const isAboutSender = ({ message, field }: Complaint): boolean =>
  /sender identity|verified sender/i.test(message) || /^from\b/.test(field ?? '')

export const howToVerify = (from: string): string =>
  `SendGrid does not send from ${from} yet: verify this address or its domain there, under Settings → Sender Authentication.`

/** A reset that is already over, or about to be, still means that this call came too early. */
const SHORTEST_WAIT_MS = 1_000

/** The second of SendGrid's clock in which calls are taken again; its own `Date` tells how far that is, if ours is wrong. */
function untilReset(headers: Headers, now: Date): number | null {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  if (!(reset > 0)) return null
  const theirNow = Date.parse(headers.get('date') ?? '')
  const wait = reset * 1000 - (Number.isNaN(theirNow) ? now.getTime() : theirNow)
  return Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
}
