import { createHash } from 'node:crypto'
import { nameAndAddress, providersWords, sendTheRest } from './mail-safety.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { type Answer, fromFailure, objectionOf, outcomesOf, unreachable } from './resend-answers.ts'

export type ResendOptions = {
  apiKey: string
  baseUrl: URL
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

/** An answer takes about a second; past this the call is given up and repeated under the same key. */
const TIMEOUT_MS = 30_000
const BATCH_MAX = 100
/** A long letter goes out in smaller groups, so that a hundred copies of it do not fill the memory. */
const BODY_MAX = 8_000_000
/** A hundred ids take 5 KB. Whatever sends more is not Resend. */
const ANSWER_MAX = 1_000_000
/** Resend remembers a key for 24 hours; the hour between is for clocks that differ and calls that take their time. */
const REPEATABLE_MS = 23 * 3_600_000
/** Resend turns away calls that do not say who they are. */
const USER_AGENT = 'Postrider'

/** Resend's HTTP API. A doubtful call may be repeated under its Idempotency-Key: the first answer comes again. */
export function createResend(options: ResendOptions): Provider {
  const {
    apiKey,
    baseUrl,
    fetch = globalThis.fetch,
    now = () => new Date(),
    timeoutMs = TIMEOUT_MS,
  } = options
  const base = baseUrl.href.endsWith('/') ? baseUrl : `${baseUrl.href}/`
  const words = (text: string) => providersWords(text, [apiKey])

  async function ask(path: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
    const response = await fetch(new URL(path, base), {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': USER_AGENT, ...init.headers },
      // The key must not follow a redirect to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { status, headers } = response
    // The status has been said, whatever becomes of the rest.
    const body = await readJson(response).catch(() => null)
    return { status, retryAfter: headers.get('retry-after'), body }
  }

  async function sendGroup(shared: string, copies: readonly Copy[], signal: AbortSignal): Promise<Outcome[]> {
    const all = (outcome: Outcome) => copies.map(() => outcome)
    if (signal.aborted)
      return all({ kind: 'try-later', reason: 'Stopped before sending', afterMs: null, about: 'mail' })
    const items = copies.map((copy) => withOwnParts(shared, copy))
    const single = copies.length === 1 ? items[0] : undefined
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': keyOf(copies),
      // Otherwise one bad address would keep the mail from all the others.
      ...(single ? {} : { 'x-batch-validation': 'permissive' }),
    }
    const body = single ?? `[${items.join()}]`
    try {
      const path = single ? 'emails' : 'emails/batch'
      const answer = await ask(path, { method: 'POST', headers, body }, signal)
      return outcomesOf(answer, copies.length, { words, now: now() })
    } catch (error) {
      return all(fromFailure(error, words))
    }
  }

  /** The size of a group depends on the letter alone: copies that are repeated together form the same groups. */
  async function sendInGroups(letter: Letter, copies: readonly Copy[], signal: AbortSignal) {
    const shared = sharedParts(letter)
    const size = Math.min(BATCH_MAX, Math.max(1, Math.floor(BODY_MAX / shared.length)))
    const outcomes: Outcome[] = []
    while (outcomes.length < copies.length) {
      const group = copies.slice(outcomes.length, outcomes.length + size)
      outcomes.push(...(await sendGroup(shared, group, signal)))
      const last = outcomes.at(-1)
      // Told to wait, we do not call again.
      if (last?.kind === 'try-later' && last.about === 'account')
        while (outcomes.length < copies.length) outcomes.push(last)
    }
    return outcomes
  }

  return {
    name: 'Resend',
    batchMax: BATCH_MAX,
    concurrency: 4,
    callsPerSecond: 10,
    // By the key alone: several addresses may lead to the same account.
    identity: `resend ${createHash('sha256').update(apiKey).digest('base64url')}`,
    repeatableMs: REPEATABLE_MS,
    send: (letter, copies, signal) =>
      sendTheRest(letter, copies, (sound) => sendInGroups(letter, sound, signal)),
    check: (signal) =>
      ask('domains', {}, signal).then(
        (answer) => objectionOf(answer, words),
        (error: unknown) => unreachable(error, words),
      ),
    async close() {},
  }
}

/** One copy keeps its own key; a group has one that is the same whenever the same copies come in the same order. */
function keyOf(copies: readonly Copy[]): string {
  const keys = copies.map(({ idempotencyKey }) => idempotencyKey)
  if (keys.length === 1 && keys[0] !== undefined) return keys[0]
  return `group/${createHash('sha256').update(JSON.stringify(keys)).digest('hex')}`
}

/** The letter as the open half of a JSON object: it is long, and written out once for all copies. */
const sharedParts = (letter: Letter): string =>
  JSON.stringify({
    from: nameAndAddress(letter.from),
    ...(letter.replyTo === null ? {} : { reply_to: [letter.replyTo] }),
    subject: letter.subject,
    html: letter.html,
    text: letter.text,
    headers: letter.headers,
  }).slice(0, -2)

/**
 * Closes what `sharedParts` left open, behind the letter's headers. The Message-ID is left out: Resend writes its own
 * over any that is given; the tag comes back in what it reports of the mail.
 */
function withOwnParts(shared: string, copy: Copy): string {
  const own = JSON.stringify(copy.headers).slice(1)
  const comma = own === '}' || shared.endsWith('{') ? '' : ','
  const tag = copy.messageId
    .replace(/@.*$/, '')
    .replace(/[^\w-]/g, '')
    .slice(0, 256)
  const rest = JSON.stringify({
    to: [nameAndAddress(copy.to)],
    ...(tag === '' ? {} : { tags: [{ name: 'mid', value: tag }] }),
  })
  return `${shared}${comma}${own},${rest.slice(1)}`
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the call.
    if (size > ANSWER_MAX) return null
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
