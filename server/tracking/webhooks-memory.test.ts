import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aUser } from '../test/accounts.ts'
import { originOf } from '../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'
import { until } from '../test/until.ts'

const SIGNING_KEY = 'key-of-ann-0123456789abcdef'
/** The most that one report may have. */
const LARGE = 4 * 1024 * 1024
let running: RunningApp
let origin: string
beforeAll(async () => {
  running = await aRunningApp({})
  origin = await originOf(running)
})
afterAll(() => running[Symbol.asyncDispose]())

/** A call of somebody who announces a large body; nothing of it has come yet. */
function announced(path: string, length = LARGE): { call: ClientRequest; status: () => number | null } {
  let status: number | null = null
  const headers = { 'content-type': 'application/json', 'content-length': String(length) }
  const call = request(`${origin}${path}`, { method: 'POST', headers, agent: false })
    .on('response', (answer) => {
      status = answer.statusCode ?? 0
      answer.resume()
    })
    // Whoever is refused may be cut off while it still sends.
    .on('error', () => {})
  call.flushHeaders()
  onTestFinished(() => void call.destroy())
  return { call, status: () => status }
}

async function anAddress(): Promise<string> {
  const { browser } = await aUser(running)
  const saved = await browser.post('/api/settings', {
    provider: 'mailgun',
    fromName: '',
    fromEmail: '',
    apiKey: 'key-x',
    webhookSigningKey: SIGNING_KEY,
  })
  if (saved.status !== 200) throw new Error(saved.text)
  const { webhookUrl } = (await browser.get('/api/settings')).json() as Settings
  return new URL(webhookUrl ?? '').pathname
}

describe('a report', () => {
  it.each([
    ['/api/webhooks/mailgun/x', 401],
    [`/api/webhooks/mailgun/${'x'.repeat(43)}`, 401],
    [`/api/webhooks/sendgrid/${'x'.repeat(43)}`, 401],
    [`/api/webhooks/ses/${'x'.repeat(43)}`, 401],
    ['/api/webhooks/resend/product', 401],
    ['/api/webhooks/pigeon/x', 404],
  ])('to an address that nobody has is answered before a byte of it is read: %s', async (path, expected) => {
    const { call } = announced(path)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(expected)
  })

  it('takes its share of a memory that all have together: who fills it gives way, and others are heard', {
    tags: 'thorough',
  }, async () => {
    const [ann, bob] = [await anAddress(), await anAddress()]
    // Each lacks its last byte, for which it would be kept.
    const calls = Array.from({ length: 40 }, () => announced(ann))
    const almostWhole = Buffer.alloc(LARGE - 1, 'x')
    for (const { call } of calls) call.write(almostWhole)
    const refused = () => calls.filter(({ status }) => status() === 503).length
    await until('there is no room for all of them', () => refused() > 0)

    const report = { event: 'opened', padding: 'x'.repeat(LARGE - 1000) }
    const body = signedBody(report, { signingKey: SIGNING_KEY, now: Date.now() })
    const { call } = announced(bob, Buffer.byteLength(body))
    call.end(body)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
  })
})
