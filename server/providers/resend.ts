import { createHash } from 'node:crypto'
import { createHttpApi, identityOf, STOPPED } from './http-api.ts'
import { nameAndAddress } from './name-and-address.ts'
import { type Copy, domainOf, filledIn, type Letter, type Outcome, type Provider, tagOf } from './provider.ts'
import { objectionOf, outcomesOf, verdictOf } from './resend-answers.ts'
import { sendTheRest } from './sound-copies.ts'

export type ResendOptions = {
  apiKey: string
  baseUrl: URL
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

const BATCH_MAX = 100
/** A long letter goes out in smaller calls, so that a hundred copies of it do not fill the memory. */
const BODY_MAX = 8_000_000
/** Resend remembers a key for 24 hours; the hour between is for clocks that differ and calls that take their time. */
const REPEATABLE_MS = 23 * 3_600_000

/** Resend's HTTP API. A doubtful call may be repeated under its Idempotency-Key: the first answer comes again. */
export function createResend(options: ResendOptions): Provider {
  const { apiKey, now = () => new Date() } = options
  const api = createHttpApi({
    ...options,
    vendor: 'Resend',
    headers: { authorization: `Bearer ${apiKey}` },
    secrets: [apiKey],
  })

  /**
   * One request, however long the letter is by now: asked about again, the copies are the same call, and what is answered
   * is about all of them.
   */
  async function sendGroup(
    letter: Letter,
    copies: readonly Copy[],
    signal: AbortSignal,
    mayBegin: () => boolean,
  ): Promise<Outcome[]> {
    const all = (outcome: Outcome) => copies.map(() => outcome)
    if (!mayBegin()) return all({ kind: 'not-begun' })
    if (signal.aborted) return all(STOPPED)
    const shared = sharedParts(letter)
    const items = copies.map((copy) => filledIn(withOwnParts(shared, copy), letter, copy))
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
      const answer = await api.ask(path, { method: 'POST', headers, body }, signal)
      return outcomesOf(answer, copies.length, { api, now: now() })
    } catch (error) {
      return all(api.failed(error))
    }
  }

  return {
    name: 'Resend',
    batchMax: BATCH_MAX,
    copiesPerCall: (letter) =>
      Math.min(BATCH_MAX, Math.max(1, Math.floor(BODY_MAX / sharedParts(letter).length))),
    concurrency: 4,
    callsPerSecond: 10,
    copiesPerSecond: () => null,
    // By the key alone: several addresses may lead to the same account.
    identity: identityOf('resend', apiKey),
    repeatableMs: REPEATABLE_MS,
    send: (letter, copies, signal, mayBegin = () => true) =>
      sendTheRest(letter, copies, (sound) => sendGroup(letter, sound, signal, mayBegin)),
    check: (signal) =>
      api.ask('domains', {}, signal).then((answer) => objectionOf(answer, api), api.unreachable),
    verify: (from, signal) =>
      api.ask('domains', {}, signal).then((answer) => verdictOf(answer, domainOf(from), api), api.undecided),
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
  const tag = tagOf(copy)
  const rest = JSON.stringify({
    to: [nameAndAddress(copy.to)],
    ...(tag === '' ? {} : { tags: [{ name: 'mid', value: tag }] }),
  })
  return `${shared}${comma}${own},${rest.slice(1)}`
}
