import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback, readBody } from '../loopback.ts'
import { createLedger } from './ledger.ts'
import { type Answer, fateOf, fault, forbidden, readForm, type TakenMail } from './mailgun-mail.ts'
import { createPublisher, type EventParts, type Publication, type Publisher } from './mailgun-webhooks.ts'

/** One lie, told to one sending call. `after` means that its mails were taken before the lie. */
type MailgunFault =
  | { kind: 'rate-limit'; seconds: number }
  /** `message` as JSON; with `isText` as plain text, as Mailgun's 401 is. */
  | { kind: 'answer'; status: number; message: string; when: 'before' | 'after'; isText?: boolean }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  /** No answer before this has come about. */
  | { kind: 'held'; until: Promise<unknown> }

type MailgunCall = {
  path: string
  headers: IncomingMessage['headers']
  /** As they came: repeated fields stand more than once. */
  fields: readonly (readonly [name: string, value: string])[]
}

type MailgunDomain = {
  name: string
  state?: 'active' | 'unverified' | 'disabled'
  type?: 'custom' | 'sandbox'
}

export type MailgunSimulator = {
  url: URL
  apiKey: string
  signingKey: string
  /** Every mail that was taken, one for each recipient, noted before the answer left. */
  ledger: readonly TakenMail[]
  /** Every call to a sending path that came with a valid key, answered or not. */
  calls: readonly MailgunCall[]
  /** Every other path that was asked for. */
  questions: readonly string[]
  /** The next sending calls meet these, one each; null is an honest answer. */
  lieNext(...faults: (MailgunFault | null)[]): void
  /** For longer runs: asked with the number of the sending call, from 1, when nothing was planned by lieNext. */
  lieBy(schedule: (call: number) => MailgunFault | null): void
  /** Reports an event of any kind about a mail of the ledger; needs a webhook. */
  emit(mail: TakenMail, parts: EventParts, publication?: Publication): Promise<void>
  /** Null without a webhook. */
  publisher: Publisher | null
  close(): Promise<void>
}

export type MailgunSimulatorOptions = {
  apiKey?: string
  domains?: readonly (string | MailgunDomain)[]
  /** A key that may send by this domain, and nothing else. */
  sendingKey?: { key: string; domain: string }
  signingKey?: string
  /** Whether a refusal says which address is bad; the documented words do not. */
  namesBadAddress?: boolean
  /** The most domains on one page, whatever is asked for. */
  pageMax?: number
  /** Where events go: each mail meets the fate of its address, soon after the answer. */
  webhook?: { url: URL; retryMs?: readonly number[]; beforeReply?: boolean; publication?: Publication }
  now?: () => number
  /** Every mail that was taken is appended here as a JSON line, and safe on the disk before the answer leaves. */
  ledgerFile?: string
}

const MESSAGE_MAX = 25 * 1024 * 1024

/** Mailgun's documented protocol on loopback, with lies on demand. */
export async function startMailgunSimulator(
  options: MailgunSimulatorOptions = {},
): Promise<MailgunSimulator> {
  const {
    apiKey = 'key-simulated',
    signingKey = 'signing-key-simulated',
    sendingKey,
    namesBadAddress = true,
    pageMax = 1000,
    webhook,
    now = Date.now,
  } = options
  const domains = (options.domains ?? ['postrider.localhost']).map((domain) => ({
    state: 'active' as const,
    type: 'custom' as const,
    ...(typeof domain === 'string' ? { name: domain } : domain),
  }))
  const ledger = createLedger<TakenMail>(options.ledgerFile)
  const calls: MailgunCall[] = []
  const questions: string[] = []
  const reports = new Set<Promise<void>>()
  const planned: (MailgunFault | null)[] = []
  let schedule: (call: number) => MailgunFault | null = () => null
  const publisher = webhook ? createPublisher({ ...webhook, signingKey, now }) : null

  async function answerTo(request: IncomingMessage): Promise<Answer | 'reset'> {
    const body = await readBody(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulated')
    const key = keyOf(request)
    const sending = /^\/v3\/([^/]+)\/messages(\.mime)?$/.exec(pathname)
    if (sending && request.method === 'POST') {
      const name = decodeURIComponent(sending[1] ?? '')
      if (key !== apiKey && !(sendingKey && key === sendingKey.key && name === sendingKey.domain))
        return forbidden
      const domain = domains.find((one) => one.name === name)
      if (!domain) return fault(404, `Domain not found: ${name}`)
      if (domain.state !== 'active')
        return fault(403, `Domain ${name} is not allowed to send: The domain is ${domain.state}`)
      return send(request, body, { pathname, name, isMime: sending[2] !== undefined })
    }
    questions.push(`${request.method} ${request.url}`)
    if (key !== apiKey) return fault(401, 'Invalid private key')
    const about = /^\/v4\/domains(?:\/([^/]+))?$/.exec(pathname)
    if (!about || request.method !== 'GET') return { status: 200, body: 'Mailgun Magnificent API' }
    if (about[1] === undefined) return listDomains(searchParams)
    const domain = domains.find(({ name }) => name === decodeURIComponent(about[1] ?? ''))
    return domain
      ? { status: 200, body: { domain: { id: domain.name, ...domain }, sending_dns_records: [] } }
      : fault(404, 'Domain not found')
  }

  function listDomains(search: URLSearchParams): Answer {
    const skip = Number(search.get('skip') ?? 0)
    const limit = Math.min(Number(search.get('limit') ?? 100), pageMax)
    const items = domains.slice(skip, skip + limit).map((domain) => ({ id: domain.name, ...domain }))
    return { status: 200, body: { total_count: domains.length, items } }
  }

  type Target = { pathname: string; name: string; isMime: boolean }

  async function send(request: IncomingMessage, body: Buffer, target: Target): Promise<Answer | 'reset'> {
    const form = await formIn(request, body)
    if (!form) return fault(400, 'The form cannot be read')
    const { headers } = request
    const fields = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const)
    // A form without a single field is a question about the key, and no part of the play.
    if (fields.length > 0) calls.push({ path: target.pathname, headers, fields })
    const isPlay = fields.length > 0
    const lie = !isPlay ? null : planned.length > 0 ? (planned.shift() ?? null) : schedule(calls.length)
    if (lie?.kind === 'delay') await sleep(lie.ms)
    if (lie?.kind === 'held') await lie.until
    if (lie?.kind === 'rate-limit')
      return fault(
        429,
        `Domain ${target.name} is not allowed to send: account-requests-per-sec limit exceeded, try again after ${lie.seconds} seconds`,
      )
    if (lie?.kind === 'answer' && lie.when === 'before') return lieOf(lie)
    if (lie?.kind === 'reset' && lie.when === 'before') return 'reset'
    const honest =
      body.length > MESSAGE_MAX ? fault(413, 'Request Entity Too Large') : await accept(form, target)
    if (lie?.kind === 'answer') return lieOf(lie)
    return lie?.kind === 'reset' ? 'reset' : honest
  }

  const lieOf = ({ status, message, isText = false }: Extract<MailgunFault, { kind: 'answer' }>): Answer =>
    isText ? { status, body: message } : fault(status, message)

  async function accept(form: FormData, { name, isMime }: Target): Promise<Answer> {
    const call = calls.length
    const reading = await readForm(form, { namesBadAddress, isMime })
    if ('refusal' in reading) return reading.refusal
    const id = `${now()}.${randomBytes(8).toString('hex')}@${name}`
    const taken = reading.mails.map((one) => ({ id, call, ...one, fate: fateOf(one.recipient) }))
    ledger.note(taken)
    const telling = publisher?.publishFates(taken, webhook?.publication)
    if (telling) {
      reports.add(telling)
      telling.finally(() => reports.delete(telling))
    }
    // Events travel their own way: one may arrive before the answer to the very call that it is about.
    if (webhook?.beforeReply) await telling
    return { status: 200, body: { id: `<${id}>`, message: 'Queued. Thank you.' } }
  }

  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => {
        if (answer === 'reset') return void request.socket.resetAndDestroy()
        const isText = typeof answer.body === 'string'
        response.writeHead(answer.status, { 'content-type': isText ? 'text/plain' : 'application/json' })
        response.end(isText ? answer.body : JSON.stringify(answer.body))
      },
      () => request.socket.destroy(),
    )
  })
  const loopback = await onLoopback(server)

  return {
    url: loopback.url,
    apiKey,
    signingKey,
    ledger: ledger.taken,
    calls,
    questions,
    publisher,
    lieNext: (...faults) => void planned.push(...faults),
    lieBy: (next) => {
      schedule = next
    },
    async emit(mail, parts, publication) {
      if (!publisher) throw new Error('the simulator has no webhook to report to')
      await publisher.publish(mail, parts, publication)
    },
    async close() {
      await loopback.close()
      await Promise.all(reports)
      ledger.close()
    },
  }
}

/** The password of HTTP Basic, whose user is always `api`. */
function keyOf({ headers }: IncomingMessage): string | null {
  const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1]
  return /^api:(.*)$/.exec(Buffer.from(basic ?? '', 'base64').toString('utf8'))?.[1] ?? null
}

/** Multipart or urlencoded; an empty form has no boundary to be read by. */
async function formIn({ headers }: IncomingMessage, body: Buffer): Promise<FormData | null> {
  const type = headers['content-type'] ?? ''
  if (body.length === 0 || /^--[^\r\n]*--\r?\n?$/.test(body.toString('latin1'))) return new FormData()
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
}
