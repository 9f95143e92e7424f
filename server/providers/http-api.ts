import { createHash } from 'node:crypto'
import { asJson } from './json.ts'
import type { Outcome, Verdict } from './provider.ts'
import { providersWords } from './providers-words.ts'

type HttpApiOptions = {
  /** As people know it: it stands in every sentence about a failure. */
  vendor: string
  baseUrl: URL
  /** Sent with every call, for example the authorization. */
  headers: Readonly<Record<string, string>>
  /** Taken out of whatever the vendor says before anyone sees it. */
  secrets: readonly string[]
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
  /** Whatever sends more than this is not the vendor. */
  answerMax?: number
}

/** `body` is null where it was no JSON; `text` is the answer as it came, and empty where that was too large. */
export type HttpAnswer = {
  status: number
  headers: Headers
  text: string
  body: unknown
  isTooLarge: boolean
}

export type HttpApi = {
  /** Throws when there was no answer; then `failed` and `unreachable` say what that means. */
  ask(path: string, init: RequestInit, signal: AbortSignal): Promise<HttpAnswer>
  /** The vendor's words as one line that can be shown. */
  words(text: string): string
  /** "Resend answered 422: …", in the vendor's words where it gave some. */
  answered(status: number, message: string): string
  /** What a call that got no answer means for its mails. */
  failed(error: unknown): Outcome
  unreachable(error: unknown): string
  /** What a call that got no answer says of credentials and a sender. */
  undecided(error: unknown): Verdict
}

/** An answer takes about a second; past this the call is given up. */
const TIMEOUT_MS = 30_000
/** A thousand ids take 50 KB. */
const ANSWER_MAX = 1_000_000
/** Some vendors turn away calls that do not say who they are. */
const USER_AGENT = 'Postrider'

/** The way to a vendor's HTTP API that all providers share: one request, one answer, every failure explained. */
export function createHttpApi(options: HttpApiOptions): HttpApi {
  const { vendor, baseUrl, headers, secrets, fetch = globalThis.fetch } = options
  const { timeoutMs = TIMEOUT_MS, answerMax = ANSWER_MAX } = options
  const base = baseUrl.href.endsWith('/') ? baseUrl : `${baseUrl.href}/`
  const words = (text: string) => providersWords(text, secrets)

  function unreachable(error: unknown): string {
    const code = codeBeforeTheBody(error)
    if (code !== undefined) return `${vendor} cannot be reached (${code})`
    const name = error instanceof Error ? error.name : ''
    const isSilence = name === 'TimeoutError' || name === 'AbortError'
    const detail = isSilence ? 'no answer in time' : (causes(error)[0]?.code ?? 'connection lost')
    return words(`${vendor} did not answer (${detail})`)
  }

  return {
    async ask(path, init, signal) {
      const response = await fetch(new URL(path, base), {
        ...init,
        headers: { 'user-agent': USER_AGENT, ...headers, ...(init.headers as Record<string, string>) },
        // The credentials must not follow a redirect to another host.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      // The status has been said, whatever becomes of the rest.
      const whole = await readText(response, answerMax).catch(() => '')
      const text = whole ?? ''
      const { status, headers: answered } = response
      return { status, headers: answered, text, body: asJson(text), isTooLarge: whole === null }
    },
    words,
    answered: (status, message) => words(`${vendor} answered ${status}${message ? `: ${message}` : ''}`),
    failed(error) {
      const reason = unreachable(error)
      if (codeBeforeTheBody(error) === undefined) return { kind: 'unknown', reason }
      return { kind: 'try-later', reason, afterMs: null, about: 'account' }
    },
    unreachable,
    undecided: (error) => ({ isGood: false, error: `${unreachable(error)}. Please try again in a moment.` }),
  }
}

/** Of a mail whose call was not made any more. */
export const STOPPED: Outcome = {
  kind: 'try-later',
  reason: 'Stopped before sending',
  afterMs: null,
  about: 'mail',
}

/** Tells accounts of a vendor apart, and shows nothing of their keys. */
export const identityOf = (vendor: string, account: string): string =>
  `${vendor} ${createHash('sha256').update(account).digest('base64url')}`

/** Longest wait that is believed: a wrong clock or header must not park a mail for a year. */
export const LONGEST_WAIT_MS = 24 * 3_600_000

/** `Retry-After`, in seconds or as a date; null when it says nothing of use. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const told = header === null ? Number.NaN : Number(header) * 1000 || Date.parse(header) - now.getTime()
  return told > 0 ? Math.min(told, LONGEST_WAIT_MS) : null
}

/** Null where it is more than that. */
async function readText(response: Response, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the call.
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Failures that come before the first byte of the request is written: nothing can have been accepted. Of those that can
 * also come later (a route that breaks, garbage in the encrypted stream) only what says that it was connecting counts;
 * whoever hangs up while the line is being encrypted is known by Node's words alone.
 */
const BEFORE_THE_BODY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_.+|CERT_.+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_.*HANDSHAKE.*|ERR_SSL_UNSUPPORTED_PROTOCOL)$/

const HUNG_UP_ON_TLS = /before secure TLS connection was established/

const codeBeforeTheBody = (error: unknown): string | undefined =>
  causes(error).find(
    ({ code, syscall, message }) =>
      syscall === 'connect' || BEFORE_THE_BODY.test(code) || HUNG_UP_ON_TLS.test(message),
  )?.code

/** Those with a code along the chain; a refused connection to a name with two addresses is an AggregateError. */
function causes(error: unknown): { code: string; syscall: string; message: string }[] {
  if (!(error instanceof Error)) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap(causes) : causes(error.cause)
  if (!('code' in error) || typeof error.code !== 'string') return inner
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  return [{ code: error.code, syscall, message: error.message }, ...inner]
}
