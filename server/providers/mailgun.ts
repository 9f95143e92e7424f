import { createHttpApi, identityOf, STOPPED } from './http-api.ts'
import { type CallAnswer, readAnswer } from './mailgun-answers.ts'
import type { Finding, Place } from './mailgun-domains.ts'
import { flawOfAddress, formOf, type Member, memberOf, prepared } from './mailgun-form.ts'
import { BATCH_MAX, groupsOf, sendGroups } from './mailgun-groups.ts'
import { createKnownPlaces } from './mailgun-known-place.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { sendTheRest } from './sound-copies.ts'

export type MailgunOptions = {
  apiKey: string
  /** Whom `check` asks for before a letter has named its own sender. */
  from?: string
  /** Null: Mailgun's own hosts, one for each region. */
  baseUrl: URL | null
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

const REGIONS = [new URL('https://api.mailgun.net'), new URL('https://api.eu.mailgun.net')]

/** Mailgun's HTTP API. It recognises no repetition: a doubtful call is never made again. */
export function createMailgun(options: MailgunOptions): Provider {
  const { apiKey, baseUrl, now = () => new Date() } = options
  const basic = Buffer.from(`api:${apiKey}`).toString('base64')
  const hosts = (baseUrl ? [baseUrl] : REGIONS).map((host) =>
    createHttpApi({
      ...options,
      baseUrl: host,
      vendor: 'Mailgun',
      // A new connection for each call: on one that was kept, a call may meet its end, and then a thousand mails are in
      // doubt. Beside a thousand mails, the handshake costs nothing.
      headers: { authorization: `Basic ${basic}`, connection: 'close' },
      secrets: [apiKey, basic, basic.replace(/=+$/, '')],
    }),
  )
  const places = createKnownPlaces(hosts, now)
  let lastFrom = options.from ?? null

  async function post(
    letter: Letter,
    members: readonly Member[],
    { api, domain }: Place,
    signal: AbortSignal,
  ): Promise<CallAnswer> {
    const plain = (outcome: Outcome): CallAnswer => ({ outcome, blames: null, message: '' })
    const form = formOf(prepared(letter), members)
    if ('flaw' in form) return plain({ kind: 'rejected', reason: form.flaw })
    try {
      const path = `v3/${encodeURIComponent(domain)}/messages`
      const answer = await api.ask(path, { method: 'POST', body: form }, signal)
      // The domain may have moved to another account or region.
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) places.forget()
      return readAnswer(answer, { api, domain, now: now() })
    } catch (error) {
      return plain(api.failed(error))
    }
  }

  async function sendSound(
    letter: Letter,
    copies: readonly Copy[],
    signal: AbortSignal,
    mayBegin: () => boolean,
  ): Promise<Outcome[]> {
    lastFrom = letter.from.address
    const finding = await places.find(letter.from.address, signal)
    if (finding?.kind !== 'found') return copies.map(() => (finding ? waitFor(finding) : STOPPED))
    const outcomes = new Map<number, Outcome>()
    const members = copies.flatMap((copy, index) => {
      const flaw = flawOfAddress(copy.to.address)
      if (flaw === null) return memberOf(copy, index)
      outcomes.set(index, { kind: 'rejected', reason: flaw })
      return []
    })
    await sendGroups(groupsOf(members), {
      letterBytes: prepared(letter).bytes,
      post: (group) => post(letter, group, finding.place, signal),
      objection: () => (signal.aborted ? STOPPED : mayBegin() ? null : { kind: 'not-begun' }),
      note: ({ index }, outcome) => outcomes.set(index, outcome),
    })
    return copies.map(
      (_, index) => outcomes.get(index) ?? { kind: 'unknown', reason: 'Mailgun gave no outcome' },
    )
  }

  return {
    name: 'Mailgun',
    batchMax: BATCH_MAX,
    // A crash leaves all that is under way in doubt; two thousand at once are fast enough.
    concurrency: 2,
    callsPerSecond: null,
    copiesPerSecond: () => null,
    // By the key alone: several addresses may lead to the same account.
    identity: identityOf('mailgun', apiKey),
    repeatableMs: 0,
    send: (letter, copies, signal, mayBegin = () => true) =>
      sendTheRest(letter, copies, (sound) => sendSound(letter, sound, signal, mayBegin)),
    async check(signal) {
      // Without a sender there is nothing to ask for, and nothing to send either.
      if (lastFrom === null) return null
      const finding = await places.ask(lastFrom, signal)
      return finding.kind === 'found' ? null : finding.reason
    },
    async verify(from, signal) {
      const finding = await places.ask(from, signal)
      switch (finding.kind) {
        case 'found':
          return { isGood: true, note: finding.note }
        case 'unfit':
          return { isGood: false, error: `${finding.reason}.` }
        case 'away':
          return { isGood: false, error: `${finding.reason}. Please try again in a moment.` }
      }
    },
    async close() {
      places.close()
    },
  }
}

const waitFor = (finding: Exclude<Finding, { kind: 'found' }>): Outcome => ({
  kind: 'try-later',
  reason: finding.reason,
  afterMs: finding.kind === 'away' ? finding.afterMs : null,
  about: 'account',
})
