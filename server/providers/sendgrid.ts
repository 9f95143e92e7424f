import { createHttpApi, identityOf, STOPPED } from './http-api.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { type Reading, readAnswer } from './sendgrid-answers.ts'
import { makeCalls } from './sendgrid-calls.ts'
import { callBody, groupsOf, letterPart, type OwnPart, ownPart, RECIPIENTS_MAX } from './sendgrid-mail.ts'
import { objectionOf, verdictOn } from './sendgrid-verdict.ts'
import { sendTheRest } from './sound-copies.ts'

export type SendgridOptions = {
  apiKey: string
  baseUrl: URL
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

/** A call carries a thousand mails: to give it up too soon would leave a thousand people in doubt. */
const TIMEOUT_MS = 60_000

/** Pasted with a line break, for example, a key could not even stand in a request. */
const NO_KEY = 'The SendGrid API key holds characters that no key has. Please enter it again.'

/** SendGrid's HTTP API. It knows no idempotency key: a repeated call would be a second mail to everyone in it. */
export function createSendgrid(options: SendgridOptions): Provider {
  const { apiKey, now = () => new Date() } = options
  const api = createHttpApi({
    timeoutMs: TIMEOUT_MS,
    ...options,
    vendor: 'SendGrid',
    // A new connection for each call: on one that was kept, a call may meet its end, and then a thousand mails are in
    // doubt.
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json', connection: 'close' },
    secrets: [apiKey],
  })
  const isKey = /^[!-~]+$/.test(apiKey)

  async function call(
    group: readonly OwnPart[],
    letter: { json: string; from: string },
    signal: AbortSignal,
  ): Promise<Reading> {
    const headers = { 'content-type': 'application/json' }
    const body = callBody(group, letter.json)
    try {
      const answer = await api.ask('v3/mail/send', { method: 'POST', headers, body }, signal)
      return readAnswer(answer, group.length, { api, now: now(), from: letter.from })
    } catch (error) {
      return { kind: 'all', outcome: api.failed(error) }
    }
  }

  async function sendInGroups(
    letter: Letter,
    copies: readonly Copy[],
    { signal, mayBegin }: { signal: AbortSignal; mayBegin: () => boolean },
  ): Promise<Outcome[]> {
    const shared = { json: letterPart(letter, copies), from: letter.from.address }
    const parts = copies.map((copy, place) => ({ place, json: ownPart(letter, copy) }))
    const outcomes = await makeCalls(groupsOf(parts, shared.json), {
      call: (group) => call(group, shared, signal),
      hindrance: () => (signal.aborted ? STOPPED : mayBegin() ? null : { kind: 'not-begun' }),
    })
    return copies.map(
      (_, place) => outcomes.get(place) ?? { kind: 'unknown', reason: 'SendGrid gave no outcome' },
    )
  }

  const noKey: Outcome = { kind: 'try-later', reason: NO_KEY, afterMs: null, about: 'account' }

  return {
    name: 'SendGrid',
    batchMax: RECIPIENTS_MAX,
    // A crash leaves all that is under way in doubt; two thousand at once are fast enough.
    concurrency: 2,
    callsPerSecond: null,
    copiesPerSecond: () => null,
    // By the key alone: several addresses may lead to the same account.
    identity: identityOf('sendgrid', apiKey),
    repeatableMs: 0,
    send: (letter, copies, signal, mayBegin = () => true) =>
      sendTheRest(letter, copies, async (sound) =>
        isKey ? sendInGroups(letter, sound, { signal, mayBegin }) : sound.map(() => noKey),
      ),
    async check(signal) {
      if (!isKey) return NO_KEY
      return api.ask('v3/scopes', {}, signal).then((answer) => objectionOf(answer, api), api.unreachable)
    },
    async verify(from, signal) {
      if (!isKey) return { isGood: false, error: NO_KEY }
      return verdictOn(from, (path) => api.ask(path, {}, signal), api)
    },
    async close() {},
  }
}
