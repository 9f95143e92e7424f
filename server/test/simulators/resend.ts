import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback, readBody } from '../loopback.ts'
import { createLedger } from './ledger.ts'
import {
  type Answer,
  acceptBatch,
  describe,
  fault,
  type Mail,
  MailBody,
  type TakenMail,
  takeMail,
} from './resend-mail.ts'
import { createReceiving, type ResendReceiving } from './resend-receiving.ts'

/** One lie, told to one sending call. `after` means that the mail was taken before the lie. */
export type ResendFault =
  | { kind: 'rate-limit'; retryAfter: number }
  | { kind: 'quota'; period: 'daily' | 'monthly'; retryAfter?: number }
  | { kind: 'answer'; status: number; name: string; message: string; when: 'before' | 'after' }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  /** No answer before this has come about. */
  | { kind: 'held'; until: Promise<unknown> }

type ResendCall = {
  path: string
  idempotencyKey: string | null
  headers: IncomingMessage['headers']
  body: string
}

export type ResendSimulator = {
  url: URL
  apiKey: string
  /** Every mail that was taken, noted before the answer left. */
  ledger: readonly TakenMail[]
  /** Every call to a sending path, answered or not. */
  calls: readonly ResendCall[]
  /** The next sending calls meet these, one each; null is an honest answer. */
  lieNext(...faults: (ResendFault | null)[]): void
  /** For longer runs: asked with the number of the sending call, from 1, when nothing was planned by lieNext. */
  lieBy(schedule: (call: number) => ResendFault | null): void
  receiving: ResendReceiving
  close(): Promise<void>
}

type ResendSimulatorOptions = {
  apiKey?: string
  domains?: readonly string[]
  /** A key that may send and nothing else. */
  sendingOnly?: boolean
  now?: () => number
  /** Every mail that was taken is appended here as a JSON line, and safe on the disk before the answer leaves. */
  ledgerFile?: string
}

const REPLAY_MS = 24 * 3_600_000
const BATCH_MAX = 100
const JSON_TYPE = { 'content-type': 'application/json' }

/** Resend's documented protocol on loopback, with lies on demand. */
export async function startResendSimulator(options: ResendSimulatorOptions = {}): Promise<ResendSimulator> {
  const {
    apiKey = 're_simulated_key',
    domains = ['postrider.localhost'],
    sendingOnly = false,
    now = Date.now,
    ledgerFile,
  } = options
  const ledger = createLedger<TakenMail>(ledgerFile)
  const calls: ResendCall[] = []
  const planned: (ResendFault | null)[] = []
  const remembered = new Map<string, { body: string; answer: Answer; at: number }>()
  const underWay = new Set<string>()
  let schedule: (call: number) => ResendFault | null = () => null

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<Answer | 'reset'> {
    const path = request.url ?? '/'
    const body = (await readBody(request)).toString('utf8')
    const turnedAway = checkCaller(request, apiKey)
    if (turnedAway) return turnedAway
    if (request.method === 'POST' && (path === '/emails' || path === '/emails/batch'))
      return send(path, body, request, response)
    if (sendingOnly) return fault(401, 'restricted_api_key', 'This API key is restricted to only send emails')
    if (request.method === 'GET' && path === '/domains') return listDomains(domains)
    const received = request.method === 'GET' ? receiving.answer(path) : null
    if (received) return received
    const mail =
      request.method === 'GET' ? ledger.taken.find(({ id }) => path === `/emails/${id}`) : undefined
    if (mail)
      return { status: 200, body: { object: 'email', ...mail.mail, id: mail.id, last_event: mail.fate } }
    return fault(404, 'not_found', 'The requested endpoint does not exist')
  }

  async function send(
    path: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | 'reset'> {
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' ? key : null
    calls.push({ path, idempotencyKey, headers: request.headers, body })
    const lie = planned.length > 0 ? (planned.shift() ?? null) : schedule(calls.length)
    const place = `${path} ${idempotencyKey}`
    if (idempotencyKey !== null && underWay.has(place))
      return fault(409, 'concurrent_idempotent_requests', 'Another request under this key is in progress.')
    underWay.add(place)
    try {
      return await meet(lie, place, { path, idempotencyKey, headers: request.headers, body }, response)
    } finally {
      underWay.delete(place)
    }
  }

  async function meet(
    lie: ResendFault | null,
    place: string,
    call: ResendCall,
    response: ServerResponse,
  ): Promise<Answer | 'reset'> {
    if (lie?.kind === 'delay') await sleep(lie.ms)
    if (lie?.kind === 'held') await lie.until
    if (lie?.kind === 'rate-limit') {
      response.setHeader('retry-after', String(lie.retryAfter))
      return fault(429, 'rate_limit_exceeded', 'Too many requests. You can only make 10 requests per second.')
    }
    if (lie?.kind === 'quota') {
      if (lie.retryAfter !== undefined) response.setHeader('retry-after', String(lie.retryAfter))
      return fault(
        429,
        `${lie.period}_quota_exceeded`,
        `You have reached your ${lie.period} email sending quota.`,
      )
    }
    if (lie?.kind === 'answer' && lie.when === 'before') return fault(lie.status, lie.name, lie.message)
    if (lie?.kind === 'reset' && lie.when === 'before') return 'reset'
    const honest = once24h(place, call.idempotencyKey, call.body, () => accept(call))
    if (lie?.kind === 'answer') return fault(lie.status, lie.name, lie.message)
    return lie?.kind === 'reset' ? 'reset' : honest
  }

  function once24h(place: string, key: string | null, body: string, act: () => Answer): Answer {
    if (key === null) return act()
    if (key.length < 1 || key.length > 256)
      return fault(400, 'invalid_idempotency_key', 'The idempotency key must be between 1-256 characters.')
    const first = remembered.get(place)
    if (first && now() - first.at < REPLAY_MS) {
      if (first.body === body) return first.answer
      return fault(
        409,
        'invalid_idempotent_request',
        'This idempotency key has been used with another request body.',
      )
    }
    const answer = act()
    if (answer.status === 200) remembered.set(place, { body, answer, at: now() })
    return answer
  }

  function accept({ path, idempotencyKey, headers, body }: ResendCall): Answer {
    const parsed = parseJson(body)
    const keep = (mails: readonly Mail[]): { id: string }[] => {
      const taken = mails.map((mail) => ({ id: randomUUID(), idempotencyKey, ...takeMail(mail) }))
      ledger.note(taken)
      return taken.map(({ id }) => ({ id }))
    }
    if (path === '/emails') {
      const mail = MailBody.safeParse(parsed)
      return mail.success
        ? { status: 200, body: keep([mail.data])[0] }
        : fault(422, 'validation_error', describe(mail.error))
    }
    if (!Array.isArray(parsed) || parsed.length < 1 || parsed.length > BATCH_MAX)
      return fault(422, 'validation_error', `The batch must hold 1 to ${BATCH_MAX} emails.`)
    return acceptBatch(parsed, headers['x-batch-validation'] === 'permissive', keep)
  }

  const receiving = createReceiving(() => loopback.url.origin)

  const server = createServer((request, response) => {
    const file = request.method === 'GET' ? receiving.download(request.url ?? '') : null
    if (file) {
      response.writeHead(file.status, file.headers)
      if (file.body === null) response.flushHeaders()
      else response.end(file.body)
      return
    }
    response.setHeader('ratelimit-limit', '10')
    response.setHeader('ratelimit-policy', '10;w=1')
    answerTo(request, response).then(
      (answer) => {
        if (answer === 'reset') request.socket.resetAndDestroy()
        else response.writeHead(answer.status, JSON_TYPE).end(JSON.stringify(answer.body))
      },
      () => request.socket.destroy(),
    )
  })
  const loopback = await onLoopback(server)

  return {
    url: loopback.url,
    apiKey,
    ledger: ledger.taken,
    calls,
    lieNext: (...faults) => void planned.push(...faults),
    lieBy: (next) => {
      schedule = next
    },
    receiving,
    async close() {
      await loopback.close()
      ledger.close()
    },
  }
}

function checkCaller(request: IncomingMessage, apiKey: string): Answer | null {
  if (!request.headers['user-agent']) return fault(403, 'forbidden', 'error code: 1010')
  if (!request.headers.authorization)
    return fault(401, 'missing_api_key', 'Missing API key in the authorization header.')
  if (request.headers.authorization !== `Bearer ${apiKey}`)
    return fault(400, 'validation_error', 'API key is invalid')
  return null
}

const listDomains = (domains: readonly string[]): Answer => ({
  status: 200,
  body: {
    object: 'list',
    has_more: false,
    data: domains.map((name) => ({ id: randomUUID(), name, status: 'verified', region: 'us-east-1' })),
  },
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
