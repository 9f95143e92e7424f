import { z } from 'zod'
import { nameAndAddress, providersWords, refusalOf } from './mail-safety.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'

export type ResendOptions = {
  apiKey: string
  baseUrl: URL
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

/** An answer takes well under a second; past this the call is given up and repeated under the same key. */
const TIMEOUT_MS = 15_000
/** Longest wait that is believed: a wrong clock or header must not park a mail for a year. */
const LONGEST_WAIT_MS = 24 * 3_600_000
/** Resend turns away calls that do not say who they are. */
const USER_AGENT = 'Postrider'

const Accepted = z.object({ id: z.string().min(1) })
const Refused = z.object({ name: z.string().default(''), message: z.string().default('') })

/** Resend's HTTP API. It remembers an Idempotency-Key for 24 hours, so repeating a doubtful call is safe that long. */
export function createResend(options: ResendOptions): Provider {
  const {
    apiKey,
    baseUrl,
    fetch = globalThis.fetch,
    now = () => new Date(),
    timeoutMs = TIMEOUT_MS,
  } = options
  const endpoint = new URL('emails', baseUrl.href.endsWith('/') ? baseUrl : `${baseUrl.href}/`)
  const words = (text: string) => providersWords(text, [apiKey])

  async function sendOne(letter: Letter, copy: Copy, signal: AbortSignal): Promise<Outcome> {
    const refusal = refusalOf(letter, copy)
    if (refusal) return refusal
    if (signal.aborted)
      return { kind: 'try-later', reason: 'Stopped before sending', afterMs: null, about: 'mail' }
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
          'idempotency-key': copy.idempotencyKey,
        },
        body: JSON.stringify(toResend(letter, copy)),
        // The key must not follow a redirect to another host.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      return readAnswer(response, await response.text(), words, now())
    } catch (error) {
      return fromFailure(error, words)
    }
  }

  return {
    name: 'Resend',
    batchMax: 1,
    concurrency: 4,
    callsPerSecond: 10,
    repeatableMs: 23 * 3_600_000,
    send: (letter, copies, signal) => Promise.all(copies.map((copy) => sendOne(letter, copy, signal))),
    check: async () => null,
    async close() {},
  }
}

/** The Message-ID is left out: Resend writes its own over any that is given. */
const toResend = (letter: Letter, copy: Copy) => ({
  from: nameAndAddress(letter.from),
  to: [nameAndAddress(copy.to)],
  ...(letter.replyTo === null ? {} : { reply_to: [letter.replyTo] }),
  subject: letter.subject,
  html: letter.html,
  text: letter.text,
  headers: { ...letter.headers, ...copy.headers },
})

type Words = (text: string) => string

function readAnswer(response: Response, body: string, words: Words, now: Date): Outcome {
  const { status } = response
  if (response.ok) {
    const accepted = Accepted.safeParse(parseJson(body))
    if (accepted.success) return { kind: 'accepted', id: accepted.data.id }
    return { kind: 'unknown', reason: `Resend answered ${status} without an id` }
  }
  const refused = Refused.safeParse(parseJson(body))
  const { name, message } = refused.success ? refused.data : { name: '', message: '' }
  const reason = words(`Resend answered ${status}${message ? `: ${message}` : ''}`)
  const later = (afterMs: number | null): Outcome => ({
    kind: 'try-later',
    reason,
    afterMs,
    about: 'account',
  })

  if (status === 429) return later(waitAfter(response.headers.get('retry-after'), name, now))
  if (status === 503) return later(waitAfter(response.headers.get('retry-after'), name, now))
  if (status === 409 && name !== 'invalid_idempotent_request') return later(null)
  // A redirect comes from something between us and Resend, a timeout (408) means that it did not read the whole call.
  if (status < 400 || status === 408) return later(null)
  // A wrong or suspended key is the operator's to mend; the recipient must not lose the mail by it.
  if (isAboutTheKey(status, name, message)) return later(null)
  if (status < 500) return { kind: 'rejected', reason }
  return { kind: 'unknown', reason }
}

const isAboutTheKey = (status: number, name: string, message: string): boolean =>
  status === 401 || (status <= 403 && (/api_key$/.test(name) || /\bapi key\b/i.test(message)))

function waitAfter(header: string | null, name: string, now: Date): number | null {
  const told = header === null ? Number.NaN : Number(header) * 1000 || Date.parse(header) - now.getTime()
  if (told > 0) return Math.min(told, LONGEST_WAIT_MS)
  // A daily quota starts anew at midnight UTC; a monthly one is asked about again then.
  if (name.endsWith('_quota_exceeded')) return LONGEST_WAIT_MS - (now.getTime() % LONGEST_WAIT_MS)
  return null
}

/** Failures that come before the first byte of the request is written: nothing can have been accepted. */
const BEFORE_THE_BODY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.+|ERR_SSL_.+|CERT_.+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+|HOSTNAME_MISMATCH)$/

function fromFailure(error: unknown, words: Words): Outcome {
  const codes = errorCodes(error)
  const code = codes.find((known) => BEFORE_THE_BODY.test(known))
  if (code)
    return {
      kind: 'try-later',
      reason: `Resend cannot be reached (${code})`,
      afterMs: null,
      about: 'account',
    }
  const name = error instanceof Error ? error.name : ''
  const detail =
    name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : (codes[0] ?? 'connection lost')
  return { kind: 'unknown', reason: words(`Resend did not answer (${detail})`) }
}

/** The codes along the chain of causes; a refused connection to a name with two addresses is an AggregateError. */
function errorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap(errorCodes) : errorCodes(error.cause)
  return 'code' in error && typeof error.code === 'string' ? [error.code, ...inner] : inner
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
