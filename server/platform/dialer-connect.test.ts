import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { createDialer, type Dial, DialError, trustedDial } from './dialer.ts'

let server: Server
let port = 0
beforeEach(async () => {
  server = createServer((socket) => void socket.on('error', () => {}).end('hello')).listen(0)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())))

/** Some containers have none. */
const HAS_IPV6 = Object.values(networkInterfaces()).some((some) =>
  some?.some(({ address }) => address === '::1'),
)
const LIMIT = { timeoutMs: 3000 }
const heard = async (dial: Dial) => text(await dial(LIMIT))
const failure = (dial: Dial, limit = LIMIT): Promise<DialError> =>
  dial(limit).then(
    () => Promise.reject(new Error('it connected')),
    (error: DialError) => error,
  )

describe('what the operator allows', () => {
  it('is reached: a host on all ports, or on one', async () => {
    expect(await heard(createDialer({ allowedPrivate: ['localhost'] })('LOCALHOST.', port))).toBe('hello')
    expect(await heard(createDialer({ allowedPrivate: [`localhost:${port}`] })('localhost', port))).toBe(
      'hello',
    )
    expect(await heard(createDialer({ allowedPrivate: [`127.0.0.1:${port}`] })('127.0.0.1', port))).toBe(
      'hello',
    )
    if (!HAS_IPV6) return
    expect(await heard(createDialer({ allowedPrivate: [`[0:0::1]:${port}`] })('::1', port))).toBe('hello')
  })

  it('is reached under any name when the address itself is allowed', async () => {
    const resolve = async () => ['127.0.0.1']
    const dialTo = createDialer({ allowedPrivate: [`127.0.0.1:${port}`], resolve })
    expect(await heard(dialTo('mail.example.com', port))).toBe('hello')
  })

  it('is that host on that port and no other', async () => {
    const dialTo = createDialer({
      allowedPrivate: [`localhost:${port + 1}`, `[::1]:${port + 1}`, '127.0.0.2'],
    })
    for (const host of ['localhost', '127.0.0.1', '::1'])
      expect((await failure(dialTo(host, port))).kind, host).toBe('not-allowed')
    expect((await failure(dialTo('127.0.0.1', port + 1))).kind).toBe('not-allowed')
  })

  it('is everything that he named himself', async () => {
    for (const host of ['localhost', '127.0.0.1', ...(HAS_IPV6 ? ['[::1]', '::1'] : [])])
      expect(await heard(trustedDial(host, port))).toBe('hello')
  })
})

describe('a host with several addresses', () => {
  const ANSWERS = ['1.1.1.1', '1.1.1.2', '1.1.1.3', '2606:4700::1', '2606:4700::2', '2606:4700::3']
  const dialWith = (open: (address: string) => Socket, answers = ANSWERS): Dial =>
    createDialer({ allowedPrivate: [], resolve: async () => answers, open })('mail.example.com', 25)
  const here = () => connect({ host: '127.0.0.1', port })
  const refused = () => {
    const socket = new Socket()
    setImmediate(() => socket.destroy(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })))
    return socket
  }

  it('is tried at the next one when one fails, by turns of family', async () => {
    const tried: string[] = []
    const dial = dialWith((address) => {
      tried.push(address)
      return tried.length < 4 ? refused() : here()
    })
    expect(await heard(dial)).toBe('hello')
    expect(tried).toEqual(['1.1.1.1', '2606:4700::1', '1.1.1.2', '2606:4700::2'])
  })

  it('is given up after four', async () => {
    let tries = 0
    const error = await failure(
      dialWith(() => {
        tries++
        return refused()
      }),
    )
    expect(error.message).toBe('mail.example.com takes no connections on port 25')
    expect(error.kind).toBe('unreachable')
    expect(tries).toBe(4)
  })

  it('is reached in time although the first one keeps silent, and the silent socket is let go', async () => {
    using clock = aStoppedClock()
    const [silent, answering] = [new Socket(), new Socket()]
    const answers = (socket: Socket) => {
      queueMicrotask(() => socket.emit('connect'))
      return socket
    }
    const dial = dialWith(
      (address) => (address === '1.1.1.1' ? silent : answers(answering)),
      ['1.1.1.1', '1.1.1.2'],
    )
    const [reached] = await Promise.all([dial({ timeoutMs: 400 }), clock.pass(200)])
    expect(reached).toBe(answering)
    expect(silent.destroyed).toBe(true)
  })

  it('has a time-out for all of them together', async () => {
    using clock = aStoppedClock()
    const opened: Socket[] = []
    const failing = failure(
      dialWith(() => {
        const socket = new Socket()
        opened.push(socket)
        return socket
      }),
      { timeoutMs: 200 },
    )
    const [error] = await Promise.all([failing, clock.pass(200)])
    expect(error.kind).toBe('timeout')
    expect(opened.length).toBeGreaterThan(1)
    expect(opened.every(({ destroyed }) => destroyed)).toBe(true)
  })
})

it('says that nothing listens at an allowed place', async () => {
  const error = await failure(createDialer({ allowedPrivate: ['localhost'] })('localhost', await freePort()))
  expect(error).toBeInstanceOf(DialError)
  expect(error).toMatchObject({ kind: 'unreachable', cause: { code: 'ECONNREFUSED' } })
})
