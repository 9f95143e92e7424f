import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { aLetter } from '../../test/simulators/a-mail.ts'
import { anSmtpProvider, recipientOf, sendTo } from '../../test/simulators/smtp-client.ts'
import { startScriptedRelay } from '../../test/simulators/smtp-script.ts'
import type { Provider } from '../provider.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
})

const PEOPLE = ['ann@x.test', 'bob@x.test', 'cem@x.test']
const STEP = 64
const CUTS = 64
const letter = aLetter({ html: `<p>${'A line of the text.\n'.repeat(220)}</p>` })

/** Passes everything on, and resets its first connection after so many bytes of the first mail's text. */
async function aCuttingProxy(target: number, bytes: number) {
  let isFirst = true
  const server = createServer((client) => {
    const relay = connect(target, '127.0.0.1')
    let left = isFirst ? Number.POSITIVE_INFINITY : null
    isFirst = false
    relay.on('data', (chunk) => {
      if (left === Number.POSITIVE_INFINITY && chunk.includes('354 ')) left = bytes
      client.write(chunk)
    })
    client.on('data', (chunk) => {
      relay.write(left === null ? chunk : chunk.subarray(0, left))
      if (left === null || chunk.length < left) {
        if (left !== null) left -= chunk.length
        return
      }
      client.resetAndDestroy()
      relay.end()
    })
    for (const socket of [client, relay]) socket.on('error', () => {})
    client.on('close', () => relay.end())
    relay.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

it('a reset at every 64th byte of a text takes no half mail for sent, and sends none twice', async () => {
  const kinds = new Map<string, number>()
  for (let cut = 1; cut <= CUTS; cut++) {
    const relay = await startScriptedRelay()
    const proxy = await aCuttingProxy(relay.port, cut * STEP)
    const provider: Provider = anSmtpProvider(proxy.port, { connections: 1 })
    open.push(relay, proxy, provider)
    const outcomes = await Promise.all(PEOPLE.map((to) => sendTo(provider, to, { letter })))
    for (const [index, { kind }] of outcomes.entries()) {
      const taken = relay.messages.filter((message) => recipientOf(message) === PEOPLE[index])
      expect(taken.length, `${kind} after ${cut * STEP} bytes`).toBe(kind === 'accepted' ? 1 : 0)
      for (const message of taken) expect(message).toMatch(/--$/)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    for (const part of open.splice(0).reverse()) await part.close()
  }
  // The text was handed over whole each time, so that the cut one is a doubt; those behind it never are.
  expect(Object.fromEntries(kinds)).toEqual({ unknown: CUTS, accepted: 2 * CUTS })
})

it('a reset before any of several pieces has left is no doubt: the mail can go again', async () => {
  const large = aLetter({ html: `<p>${'A line of the text.\n'.repeat(20_000)}</p>` })
  // Both are there before we read the first, so that the first piece is written to a connection that is gone.
  const relay = await startScriptedRelay({
    DATA({ socket }) {
      socket.write('354 go on\r\n')
      socket.resetAndDestroy()
      return null
    },
  })
  const provider: Provider = anSmtpProvider(relay.port)
  open.push(relay, provider)
  for (let turn = 0; turn < 20; turn++)
    expect(await sendTo(provider, 'ann@x.test', { letter: large })).toMatchObject({
      kind: 'try-later',
      about: 'account',
    })
  expect(relay.messages).toEqual([])
  // Each was asked for its text, and cut there.
  expect(relay.lines.filter((line) => line === 'DATA')).toHaveLength(20)
})
