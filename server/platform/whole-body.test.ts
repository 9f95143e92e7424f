import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { heldMemory } from '../test/held-memory.ts'
import { onLoopback } from '../test/loopback.ts'
import { until } from '../test/until.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { readWhole } from './whole-body.ts'

const MOST = 1_000_000
const BYTES = 30_000

/** Takes what is posted, within a budget for all; answers how long it was, or what stood against it. */
async function aServer({
  timeoutMs = 60_000,
  ...options
}: {
  patienceMs?: number
  stalledMs?: number
  timeoutMs?: number
} = {}) {
  const budget = createMemoryBudget({ bytes: MOST, ...options })
  const server = createServer(async (message, response) => {
    using memory = budget.share(message.headers.from)
    const whole = await readWhole(message, { most: MOST, memory, timeoutMs }).catch(() => 'no-room')
    response.end(typeof whole === 'string' ? whole : `${whole.length} ${new Set(whole).size}`)
  })
  const lines: Socket[] = []
  server.on('connection', (line) => lines.push(line))
  const { url, close } = await onLoopback(server)
  return {
    /** Bytes from all callers, and the heads of their requests. */
    heard: () => lines.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    begin: (from: string, length: number) =>
      request(url, { method: 'POST', headers: { from, 'content-length': length } }).on('error', () => {}),
    async post(from: string, body: Buffer): Promise<string> {
      const answer = await fetch(url, { method: 'POST', headers: { from }, body: new Uint8Array(body) })
      return answer.text()
    },
    [Symbol.asyncDispose]: close,
  }
}

it('whoever announces much and brings little takes no room from anybody', async () => {
  await using server = await aServer({ patienceMs: 100 })
  const calls = Array.from({ length: 5 }, (_, n) => server.begin(`somebody ${n}`, MOST))
  for (const call of calls) call.write('x')
  expect(await server.post('ann', Buffer.alloc(600_000, 'a'))).toBe('600000 1')
  for (const call of calls) call.destroy()
})

it('what stops coming makes room for others, and is never taken for whole', async () => {
  await using server = await aServer({ patienceMs: 5_000, stalledMs: 100 })
  const slow = server.begin('slow', 900_001)
  slow.write(Buffer.alloc(900_000, 's'))
  await until('nearly all of it has come', async () => server.heard() > 900_000)
  expect(await server.post('ann', Buffer.alloc(600_000, 'a'))).toBe('600000 1')
  const answering = once(slow, 'response')
  slow.end('s')
  const [answer] = (await answering) as [IncomingMessage]
  expect(String(await once(answer, 'data'))).toBe('no-room')
})

it('what takes too long is answered while it still comes in', async () => {
  await using server = await aServer({ timeoutMs: 200 })
  const slow = server.begin('slow', 1_000)
  const typing = setInterval(() => slow.write('x'), 20)
  const [answer] = (await once(slow, 'response')) as [IncomingMessage]
  clearInterval(typing)
  expect(String(await once(answer, 'data'))).toBe('too-slow')
  slow.destroy()
})

it('what comes byte by byte is kept as bytes, not as so many pieces', { tags: 'thorough' }, async () => {
  await using server = await aServer()
  const slow = server.begin('slow', BYTES)
  slow.flushHeaders()
  await until('it is heard', async () => server.heard() > 0)
  const heard = server.heard()
  const before = heldMemory()
  for (let sent = 1; sent < BYTES; sent++) {
    slow.write('x')
    // Each byte is on its way before the next.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until('all but one have come', async () => server.heard() === heard + BYTES - 1)
  expect(heldMemory() - before).toBeLessThan(100 * BYTES)
  const answering = once(slow, 'response')
  slow.end('x')
  const [answer] = (await answering) as [IncomingMessage]
  expect(String(await once(answer, 'data'))).toBe(`${BYTES} 1`)
})
