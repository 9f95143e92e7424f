import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { RegisterResponse } from '../../../contract/auth.ts'
import { CampaignDetail, IDEMPOTENCY_KEY_HEADER, SendEmailResponse } from '../../../contract/campaigns.ts'
import { Settings } from '../../../contract/settings.ts'
import { PASSWORD } from '../accounts.ts'
import { machineNow, machineTimeout, millisecondsSince } from '../machine-clock.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OWNER } from './ledger/protocol.ts'

export type Campaign = { id: string; recipients: readonly string[] }
type ApiAnswer = { status: number; text: string; headers: Headers; milliseconds: number }

/** A person who uses the API, with a session, and who knows of nothing but its answers. */
export type Client = {
  call: (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<ApiAnswer>
  /** The code comes by the product's own mail. */
  signUp: (ledger: Ledger, address?: string) => Promise<void>
  /** Settings, added to what is stored already; answers them as they are then. */
  save: (settings: Record<string, unknown>) => Promise<z.infer<typeof Settings>>
  /** A campaign to so many addresses that no other campaign of the test has. */
  send: (name: string, count: number) => Promise<Campaign>
  /** Several of them, each of which is a call of its own, since a call carries one letter. */
  sendMany: (name: string, campaigns: number, countOfEach: number) => Promise<Campaign[]>
  post: (recipients: readonly string[], options?: { key?: string; subject?: string }) => Promise<ApiAnswer>
  /** Null while the API cannot answer. */
  look: (id: string) => Promise<Detail | null>
  act: (id: string, action: Action) => Promise<ApiAnswer>
  /** Waits until nothing is queued or in flight. */
  settled: (id: string, milliseconds: number) => Promise<Detail>
}
type Action = 'pause' | 'resume' | 'cancel' | 'retry-failed' | 'retry-unconfirmed'

/** As it arrives: dates are text by then. */
const DetailAsSent = CampaignDetail.pick({
  id: true,
  state: true,
  status: true,
  pausedReason: true,
  recipientCount: true,
  successfulCount: true,
  unconfirmedCount: true,
  deliveredCount: true,
  bouncedCount: true,
  complainedCount: true,
  openedCount: true,
  counts: true,
})
export type Detail = z.infer<typeof DetailAsSent>

const OWNER_ADDRESS = `${OWNER}x.test`
/** Longer than anything the API may take; a call that hangs must not hang the test. */
const CALL_LIMIT_MS = 30_000
/** Ever more rarely: to look costs those who send a part of the machine. */
const LOOK_SHARE = 0.05
const LOOK_MS = { least: 100, most: 250 }

export function createClient(url: string): Client {
  let cookie = ''

  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const start = machineNow()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { origin: url, cookie, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: machineTimeout(CALL_LIMIT_MS),
    })
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    const text = await response.text()
    return {
      status: response.status,
      text,
      headers: response.headers,
      milliseconds: millisecondsSince(start),
    }
  }

  const look: Client['look'] = async (id) => {
    const answer = await call('GET', `/api/email-history/${id}`).catch(() => null)
    return answer?.status === 200 ? DetailAsSent.parse(JSON.parse(answer.text)) : null
  }

  const post: Client['post'] = (recipients, { key, subject = 'News' } = {}) =>
    call(
      'POST',
      '/api/send-email',
      { recipients, subject, body: 'Hello,\n\nthis is the news.\n' },
      key ? { [IDEMPOTENCY_KEY_HEADER]: key } : {},
    )

  const send: Client['send'] = async (name, count) => {
    const recipients = addresses(name, count)
    const { id } = SendEmailResponse.parse(expectOk(await post(recipients)))
    return { id, recipients }
  }

  return {
    call,
    look,
    post,
    send,
    async save(settings) {
      expectOk(await call('POST', '/api/settings', { fromName: '', fromEmail: '', ...settings }))
      return Settings.parse(expectOk(await call('GET', '/api/settings')))
    },
    async sendMany(name, campaigns, countOfEach) {
      const sent: Campaign[] = []
      for (let index = 1; index <= campaigns; index++) sent.push(await send(`${name}${index}`, countOfEach))
      return sent
    },
    async signUp(ledger, address = OWNER_ADDRESS) {
      const credentials = { email: address, password: PASSWORD }
      const { userId } = RegisterResponse.parse(
        expectOk(await call('POST', '/api/auth/register', credentials)),
      )
      const code = await ledger.code(address)
      expectOk(await call('POST', '/api/auth/verify', { userId, code }))
    },
    act: (id, action) => call('POST', `/api/email-history/${id}/${action}`),
    async settled(id, milliseconds) {
      const start = machineNow()
      let detail: Detail | null = null
      for (;;) {
        detail = (await look(id)) ?? detail
        if (detail && detail.counts.queued + detail.counts.inFlight === 0) return detail
        const waited = millisecondsSince(start)
        if (waited > milliseconds)
          throw new Error(`not settled within ${milliseconds} ms: ${JSON.stringify(detail)}`)
        await sleep(Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, waited * LOOK_SHARE)))
      }
    },
  }
}

export function expectOk({ status, text }: ApiAnswer): unknown {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`)
  return JSON.parse(text)
}

/** Addresses that no other campaign of the test has. */
export const addresses = (campaign: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${campaign}-${index + 1}@x.test`)
