import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { SEND_BODY_LIMIT } from '../../../contract/campaigns.ts'
import { aUser, type SignedIn } from '../../test/accounts.ts'
import { heldMemory } from '../../test/held-memory.ts'
import { originOf } from '../../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../../test/running-app.ts'
import { until } from '../../test/until.ts'

const MEGABYTE = 2 ** 20
const TOO_MANY = 'Too many large requests arrive at the moment. Please try again in a few seconds'
let running: RunningApp
let origin: string
const lines: Socket[] = []
beforeAll(async () => {
  running = await aRunningApp()
  running.app.http.server.on('connection', (line) => lines.push(line))
  origin = await originOf(running)
})
afterAll(() => running[Symbol.asyncDispose]())

/** Bytes that all callers together have brought. */
const heard = (): number => lines.reduce((sum, { bytesRead }) => sum + bytesRead, 0)

type Answer = { status: number; text: string; retryAfter: string | undefined }
type Post = { call: ClientRequest; answer: Promise<Answer> }

/** A post whose body is still to come, of somebody signed in or of a stranger. */
function aPost(path: string, user: SignedIn | null, framing: Record<string, string | number>): Post {
  const cookie = [...(user?.browser.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', origin: 'http://localhost:3000', cookie, ...framing }
  // Whoever is refused may be cut off while it still sends.
  const call = request(`${origin}${path}`, { method: 'POST', agent: false, headers }).on('error', () => {})
  onTestFinished(() => void call.destroy())
  const { promise: answer, resolve } = Promise.withResolvers<Answer>()
  call.on('response', async (response: IncomingMessage) => {
    const said = await text(response).catch(() => '')
    resolve({ status: response.statusCode ?? 0, text: said, retryAfter: response.headers['retry-after'] })
  })
  return { call, answer }
}

it.each([
  ['a stranger', '/api/auth/login', 200_000],
  ['a user', '/api/send-email', 200_000],
])(
  'S39: a body of %s in chunks of one byte takes no more than a few times its length',
  async (who, path, bytes) => {
    const user = who === 'a user' ? await aUser(running) : null
    const { call, answer } = aPost(path, user, { 'transfer-encoding': 'chunked' })
    const [socket] = (await once(call, 'socket')) as [Socket]
    call.write('"')
    await until('it has begun', async () => heard() > 0)
    const [before, begun] = [heldMemory(), heard()]
    const chunks = '1\r\nx\r\n'.repeat(10_000)
    for (let sent = 0; sent < bytes; sent += 10_000) if (!socket.write(chunks)) await once(socket, 'drain')
    await until('all but its end has come', async () => heard() >= begun + 6 * bytes, 60_000)
    expect(heldMemory() - before).toBeLessThan(20 * bytes)
    call.end('"')
    expect(await answer).toMatchObject({ status: 400, text: expect.stringMatching(/^The request/) })
  },
)

it('S39: bodies that never end keep nobody else from being served, and are held up to a limit', async () => {
  const [ann, bob] = [await aUser(running), await aUser(running)]
  const before = heldMemory()
  const framing = { 'content-length': SEND_BODY_LIMIT }
  const posts = Array.from({ length: 12 }, () => aPost('/api/send-email', ann, framing))
  const allButItsEnd = Buffer.alloc(SEND_BODY_LIMIT - 1, 'x')
  for (const { call } of posts) call.write(allButItsEnd)
  const begun = heard()
  await until('as much as she may have has come', async () => heard() > begun + 32 * MEGABYTE)

  const recipients = Array.from({ length: 90_000 }, (_, n) => `someone-with-a-long-name-${n}@example.test`)
  const list = JSON.stringify({ recipients })
  const { call, answer } = aPost('/api/suppressions/check', bob, { 'content-length': list.length })
  call.end(list)
  expect(await answer).toMatchObject({ status: 200, text: '{"suppressed":[]}' })

  expect(heldMemory() - before).toBeLessThan(100 * MEGABYTE)
  const refused = await Promise.any(posts.map((post) => post.answer))
  expect(refused).toEqual({ status: 503, text: TOO_MANY, retryAfter: '5' })
})
