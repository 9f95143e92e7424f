import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SEND_BODY_LIMIT } from '../../../contract/campaigns.ts'
import { aUser, type SignedIn } from '../../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../../test/running-app.ts'

let running: RunningApp
let user: SignedIn
let port: number
beforeAll(async () => {
  running = await aRunningApp()
  user = await aUser(running)
  await running.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (running.app.http.server.address() as AddressInfo).port
})
afterAll(() => running[Symbol.asyncDispose]())

/** What is answered to a request that is written piece by piece for as long as somebody listens, and how much was written. */
async function say(
  head: string[],
  piece: string,
  pieces: number,
): Promise<{ answer: string; written: number }> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  let written = 0
  let somethingHappens = () => {}
  // Whoever does not listen any more may hang up.
  for (const event of ['error', 'close', 'drain', 'data'])
    socket.on(event, (data: unknown) => {
      if (event === 'data') answer += String(data)
      somethingHappens()
    })
  const next = () =>
    new Promise<void>((resolve) => {
      somethingHappens = resolve
    })
  await once(socket, 'connect')
  const cookie = [...user.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const own = [`Host: localhost:${port}`, 'Origin: http://localhost:3000', `Cookie: ${cookie}`]
  socket.write([head[0], ...own, ...head.slice(1), '', ''].join('\r\n'))
  for (let count = 0; count < pieces && answer === '' && !socket.destroyed; count += 1) {
    written += piece.length
    const happens = next()
    if (!socket.write(piece)) await happens
    // Lets the other side, which is in this process, have its turn.
    await sleep(0)
  }
  while (answer === '' && !socket.destroyed) await next()
  socket.destroy()
  return { answer, written }
}

const POST = ['POST /api/send-email HTTP/1.1', 'Content-Type: application/json']
const MEGABYTE = 2 ** 20

it('S39: a body that announces a gigabyte is refused before any of it is read (R17)', async () => {
  const { answer } = await say([...POST, 'Content-Length: 1000000000'], 'x', 0)
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\nThe request body is too large$/)
})

it('S39: a body that has no end is refused at its limit, and no more memory than that is spent on it', async () => {
  const before = process.memoryUsage().arrayBuffers
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  }, 5)
  const chunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`
  const { answer, written } = await say([...POST, 'Transfer-Encoding: chunked'], chunk, 200)
  clearInterval(watch)
  // The line is cut, by which the answer is lost where it is overtaken.
  expect(answer).toMatch(/^$|^HTTP\/1\.1 413 /)
  expect(written).toBeLessThan(SEND_BODY_LIMIT + 24 * MEGABYTE)
  expect((peak - before) / MEGABYTE).toBeLessThan(50)
})

it('S39: ten thousand headers, or one that has no end, are refused in a sentence', async () => {
  for (const headers of [
    Array.from({ length: 10_000 }, (_, index) => `X-${index}: ${index}`),
    [`X-Long: ${'x'.repeat(MEGABYTE)}`],
  ]) {
    const { answer } = await say(['GET /api/instance HTTP/1.1', ...headers], '', 0)
    expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\nThe headers of the request are too large$/)
  }
})

it('S39: whoever is told that a request is no good, and does not hang up, is cut off', async () => {
  const connecting = once(running.app.http.server, 'connection')
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const [line] = (await connecting) as [Socket]
  const closed = once(line, 'close')
  caller.write('NONSENSE\r\n\r\n')
  const [answer] = await once(caller, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
  await closed
  caller.destroy()
})
