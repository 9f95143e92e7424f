import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback, readBody } from '../loopback.ts'
import { createLedger } from './ledger.ts'
import {
  anAccount,
  answerQuestion,
  FORBIDDEN,
  maySendFrom,
  type SendgridAccount,
  turnedAway,
  UNVERIFIED_FROM,
} from './sendgrid-account.ts'
import { createSigner, type SendgridEvent, storyOf } from './sendgrid-events.ts'
import { type Answer, complaintsOf, MailBody, refusal, type TakenMail, takeMails } from './sendgrid-mail.ts'
import { createPublisher, type SendgridPost, type SendgridWebhook } from './sendgrid-publisher.ts'

/** One lie, told to one sending call. `after` means that the mails were taken before the lie. */
type SendgridFault =
  /** `retryAfter` in seconds; SendGrid tells it as the moment when it is over. */
  | { kind: 'rate-limit'; retryAfter: number }
  | { kind: 'answer'; status: number; message: string; field?: string | null; when: 'before' | 'after' }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  /** No answer before this has come about. */
  | { kind: 'held'; until: Promise<unknown> }

type SendgridCall = { headers: IncomingMessage['headers']; body: string }

export type SendgridSimulator = {
  url: URL
  apiKey: string
  /** What its reports are signed with, as SendGrid shows it. */
  publicKey: string
  /** Every recipient's mail that was taken, noted before the answer left. */
  ledger: readonly TakenMail[]
  /** Every call to the sending path, answered or not. */
  calls: readonly SendgridCall[]
  /** The next sending calls meet these, one each; null is an honest answer. */
  lieNext(...faults: (SendgridFault | null)[]): void
  /** For longer runs: asked with the number of the sending call, from 1, when nothing was planned by lieNext. */
  lieBy(schedule: (call: number) => SendgridFault | null): void
  /** What befalls the mails that are taken from now on is posted there; null ends it. */
  reportTo(webhook: SendgridWebhook | null): void
  /** Posts any events, and waits until they are taken. */
  publish(events: readonly SendgridEvent[], webhook: SendgridWebhook): Promise<void>
  /** Waits until all that was to be reported has been taken. */
  reported(): Promise<void>
  /** Every try to post a report. */
  posts: readonly SendgridPost[]
  close(): Promise<void>
}

export type SendgridSimulatorOptions = Partial<SendgridAccount> & {
  now?: () => number
  /** Every mail that was taken is appended here as a JSON line, and safe on the disk before the answer leaves. */
  ledgerFile?: string
  webhook?: SendgridWebhook
}

const BODY_MAX = 30_000_000
/** A receiver that does not take the report must not keep the answer for ever. */
const REPORT_FIRST_MS = 5_000

/** SendGrid's documented protocol on loopback, with lies on demand. */
export async function startSendgridSimulator(
  options: SendgridSimulatorOptions = {},
): Promise<SendgridSimulator> {
  const { now = Date.now, ledgerFile, webhook: firstWebhook = null, ...parts } = options
  const account = anAccount(parts)
  const ledger = createLedger<TakenMail>(ledgerFile, ({ letter: _shared, ...own }) => own)
  const signer = createSigner()
  const publisher = createPublisher(signer, now)
  const calls: SendgridCall[] = []
  const planned: (SendgridFault | null)[] = []
  const reports = new Set<Promise<void>>()
  let schedule: (call: number) => SendgridFault | null = () => null
  let webhook: SendgridWebhook | null = firstWebhook

  async function answerTo(request: IncomingMessage): Promise<Answer | 'reset'> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const body = await readBody(request)
    const away = turnedAway(request, account)
    if (away) return away
    if (url.pathname === '/v3/mail/send')
      return request.method === 'POST' ? send(request, body) : refusal(405, 'method not allowed')
    return (request.method === 'GET' ? answerQuestion(url, account) : null) ?? refusal(404, 'not found')
  }

  async function send({ headers }: IncomingMessage, body: Buffer): Promise<Answer | 'reset'> {
    calls.push({ headers, body: body.toString('utf8') })
    const lie = planned.length > 0 ? (planned.shift() ?? null) : schedule(calls.length)
    if (lie?.kind === 'delay') await sleep(lie.ms)
    if (lie?.kind === 'held') await lie.until
    if (lie?.kind === 'rate-limit')
      return { ...refusal(429, 'too many requests'), headers: rateHeaders(0, lie.retryAfter) }
    if (lie?.kind === 'answer' && lie.when === 'before') return refusal(lie.status, lie.message, lie.field)
    if (lie?.kind === 'reset' && lie.when === 'before') return 'reset'
    const honest = await accept(headers['content-type'], body)
    if (lie?.kind === 'answer') return refusal(lie.status, lie.message, lie.field)
    return lie?.kind === 'reset' ? 'reset' : honest
  }

  async function accept(type: string | undefined, body: Buffer): Promise<Answer> {
    if (!account.scopes.includes('mail.send')) return FORBIDDEN
    if (body.length >= BODY_MAX)
      return refusal(413, 'The JSON payload you have included in your request is too large.')
    if (!type?.startsWith('application/json')) return refusal(415, 'Content-Type should be application/json.')
    const json = parseJson(body)
    if (json === undefined) return refusal(400, 'Bad Request')
    const mail = MailBody.safeParse(json)
    if (!mail.success) return complaintsOf(mail.error)
    if (!maySendFrom(mail.data.from.email, account)) return UNVERIFIED_FROM
    const callId = randomBytes(16).toString('base64url')
    const answer = { status: 202, body: null, headers: { 'x-message-id': callId } }
    if (mail.data.mail_settings?.sandbox_mode?.enable) return { status: 200, body: null }
    const taken = takeMails(mail.data, callId)
    ledger.note(taken)
    await report(taken)
    return answer
  }

  async function report(taken: readonly TakenMail[]): Promise<void> {
    if (!webhook) return
    const events = taken.flatMap((mail) => storyOf(mail, now()))
    const { beforeReply } = webhook
    const posting = publisher.publish(events, webhook).finally(() => reports.delete(posting))
    reports.add(posting)
    if (beforeReply) await Promise.race([posting, sleep(REPORT_FIRST_MS, undefined, { ref: false })])
  }

  const rateHeaders = (remaining: number, seconds: number): Record<string, string> => ({
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(now() / 1000 + seconds)),
  })

  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => {
        if (answer === 'reset') return void request.socket.resetAndDestroy()
        const { status, body, headers } = answer
        response.writeHead(status, {
          date: new Date(now()).toUTCString(),
          'content-type': 'application/json',
          ...rateHeaders(599, 60),
          ...headers,
        })
        response.end(body === null ? '' : JSON.stringify(body))
      },
      () => request.socket.destroy(),
    )
  })
  const loopback = await onLoopback(server)

  return {
    url: loopback.url,
    apiKey: account.apiKey,
    publicKey: signer.publicKey,
    ledger: ledger.taken,
    calls,
    lieNext: (...faults) => void planned.push(...faults),
    lieBy: (next) => {
      schedule = next
    },
    reportTo: (next) => {
      webhook = next
    },
    publish: publisher.publish,
    async reported() {
      while (reports.size > 0) await Promise.all(reports)
    },
    posts: publisher.posts,
    async close() {
      publisher.close()
      await loopback.close()
      ledger.close()
    },
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
