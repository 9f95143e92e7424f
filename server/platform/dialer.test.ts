import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { createDialer, type Dial, DialError } from './dialer.ts'

/** Listens on this machine and counts who comes; nobody may. */
let canary: Server
let visits = 0
let port = 0
const sockets: Socket[] = []
beforeEach(async () => {
  visits = 0
  canary = createServer((socket) => {
    visits++
    socket.on('error', () => {}).end('hello')
  }).listen(0)
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => canary.close(resolve))
})

async function outcome(dial: Dial, options: Partial<Parameters<Dial>[0]> = {}) {
  try {
    sockets.push(await dial({ timeoutMs: 3000, ...options }))
    return 'connected'
  } catch (error) {
    if (!(error instanceof DialError)) throw error
    return { kind: error.kind, sentence: error.message }
  }
}

/** Remembers where connections would have gone, and opens them to the canary instead. */
function watchedNetwork(answers: Record<string, readonly (readonly string[])[]> = {}) {
  const asked: string[] = []
  const opened: string[] = []
  return {
    asked,
    opened,
    async resolve(host: string): Promise<readonly string[]> {
      const turn = asked.filter((name) => name === host).length
      asked.push(host)
      return answers[host]?.[turn] ?? answers[host]?.at(-1) ?? []
    },
    open(address: string): Socket {
      opened.push(address)
      return connect({ host: '127.0.0.1', port })
    },
  }
}

const PRIVATE = [
  '127.0.0.1 127.0.0.1. 127.255.255.254 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f.1 0x7f000001 0X7F000001',
  '2130706433 017700000001 00000127.0.0.1 127.0.0.01 0 0.0.0.0 0.1.2.3 0x0 localhost LOCALHOST localhost. LocalHost.',
  '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 2852039166 0xa9fea9fe 100.64.0.1',
  '100.127.255.254 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255',
  '198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16',
  '::1 [::1] 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 :: [::] ::ffff:127.0.0.1 [::ffff:127.0.0.1]',
  '::FFFF:7F00:1 ::ffff:0:127.0.0.1 0:0:0:0:0:ffff:7f00:0001 ::ffff:169.254.169.254 ::ffff:8.8.8.8 ::127.0.0.1 ::7f00:1',
  '64:ff9b::7f00:1 64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9b:1:ffff::10.0.0.1 2002:7f00:1:: 2002:a00:1::1',
  '2001:0:4136:e378:8000:63bf:f5ff:fffe 2001:: 2001:db8::1 3fff::1 100::1 fc00::1 fd00:ec2::254 FD12:3456::1 fe80::1',
  'FE80::1 [fe80::1] fe80::1%eth0 [fe80::1%25eth0] ::1%lo fec0::1 ff02::1 ff0e::1 5f00::1 4000::1',
]
  .join(' ')
  .split(' ')
const NO_HOST = [
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '١٢٧.0.0.1',
  'ⓛocalhost',
  'localhost\u3002',
  'lo\u00adcalhost',
  '127.0.0.1%00.example.com',
  '%31%32%37.0.0.1',
  'localhost%2e',
  '127.0.0.1\0.example.com',
  'localhost\n',
  ' localhost',
  '127.0.0.1 ',
  '127.0.0.1:25',
  '[127.0.0.1]',
  '[::1',
  '::1]',
  '[::1]:25',
  'user@localhost',
  'http://localhost',
  'localhost/',
  'localhost#x',
  'localhost?x',
  'localhost\\x',
  '/run/socket',
  '',
  '.',
  '..',
  'a..b',
  'localhost..',
  '-a.example',
  'a_b.example',
  '1.2.3.4.5',
  '256.256.256.256',
  '127.0.0.0x1',
  'a'.repeat(64),
  'a.'.repeat(130),
]

describe('a place that is not on the public internet', () => {
  it('is spelled in many more than forty ways', () => {
    expect(new Set([...PRIVATE, ...NO_HOST]).size).toBeGreaterThan(120)
  })

  it.each([...PRIVATE, ...NO_HOST])('is refused, and nobody called: %j', async (host) => {
    expect(await outcome(createDialer({ allowedPrivate: [] })(host, port))).toMatchObject({
      kind: 'not-allowed',
    })
    expect(visits).toBe(0)
  })

  it.each(['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1'])(
    'is refused in the same words at %s whether something listens there or not',
    async (host) => {
      const dialTo = createDialer({ allowedPrivate: [] })
      const open = await outcome(dialTo(host, port))
      await new Promise((resolve) => canary.close(resolve))
      const closed = await outcome(dialTo(host, port))
      expect(open).toEqual(closed)
      expect(open).toMatchObject({ sentence: expect.stringContaining('ALLOW_PRIVATE_HOSTS=') })
      expect(visits).toBe(0)
    },
  )

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.9',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fe80::1%eth0',
    'no address',
  ])('is refused behind an innocent name: %s', async (address) => {
    const network = watchedNetwork({ 'mail.example.com': [[address]] })
    const dial = createDialer({ allowedPrivate: [], ...network })('mail.example.com', 25)
    expect(await outcome(dial)).toMatchObject({ kind: 'not-allowed' })
    expect(network.opened).toEqual([])
  })

  it('is refused when it stands among public answers, wherever in the list', async () => {
    for (const answer of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '2001:4860::8888', '8.8.4.4', '1.1.1.1', '1.0.0.1', 'fd00::1'],
    ]) {
      const network = watchedNetwork({ 'mail.example.com': [answer] })
      const dial = createDialer({ allowedPrivate: [], ...network })('mail.example.com', 25)
      expect(await outcome(dial)).toMatchObject({ kind: 'not-allowed' })
      expect(network.opened).toEqual([])
    }
  })

  it('is this machine itself under its public address too', async () => {
    const network = watchedNetwork({ 'mail.example.com': [['2001:4860:0:0::8888']] })
    const own = { ...network, ownAddresses: () => ['2001:4860::8888'] }
    expect(await outcome(createDialer({ allowedPrivate: [], ...own })('mail.example.com', 25))).toMatchObject(
      {
        kind: 'not-allowed',
      },
    )
  })

  it('has no port beyond 1 to 65535', async () => {
    for (const wrong of [0, -1, 65_536, 2.5, Number.NaN])
      expect(
        await outcome(createDialer({ allowedPrivate: ['localhost'] })('localhost', wrong)),
      ).toMatchObject({ kind: 'not-allowed' })
  })
})

describe('a name', () => {
  it('is looked up once: the connection goes to the address that was judged', async () => {
    const network = watchedNetwork({ 'rebind.example.com': [['8.8.8.8'], ['127.0.0.1']] })
    const dial = createDialer({ allowedPrivate: [], ...network })('Rebind.Example.com.', 25)
    expect(await outcome(dial)).toBe('connected')
    expect(network).toMatchObject({ asked: ['rebind.example.com'], opened: ['8.8.8.8'] })
    // The second call looks it up anew, and judges anew.
    expect(await outcome(dial)).toMatchObject({ kind: 'not-allowed' })
    expect(network.opened).toEqual(['8.8.8.8'])
  })

  it('is not looked up at all when it is an address', async () => {
    const network = watchedNetwork()
    expect(await outcome(createDialer({ allowedPrivate: [], ...network })('[2001:4860::8888]', 25))).toBe(
      'connected',
    )
    expect(network).toMatchObject({ asked: [], opened: ['2001:4860::8888'] })
  })

  it('that nobody knows is told apart from one that cannot be looked up now', async () => {
    // A question that is lost on its way is asked once more, after seconds.
    const nobody = createDialer({ allowedPrivate: [] })('nobody.invalid', 25)
    expect(await outcome(nobody, { timeoutMs: 60_000 })).toMatchObject({ kind: 'dns' })
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'EAI_AGAIN' }))
    expect(
      await outcome(createDialer({ allowedPrivate: [], resolve: away })('mail.example.com', 25)),
    ).toEqual({ kind: 'dns', sentence: 'mail.example.com cannot be looked up at the moment' })
    expect(
      await outcome(createDialer({ allowedPrivate: [], resolve: async () => [] })('mail.example.com', 25)),
    ).toMatchObject({ kind: 'dns' })
  })

  it('that is never answered for takes no longer than it may', async () => {
    using clock = aStoppedClock()
    const dialTo = createDialer({ allowedPrivate: [], resolve: () => new Promise(() => {}) })
    const late = outcome(dialTo('mail.example.com', 25), { timeoutMs: 100 })
    const stopped = outcome(dialTo('mail.example.com', 25), { signal: AbortSignal.timeout(100) })
    await clock.pass(100)
    expect(await late).toMatchObject({ kind: 'timeout' })
    expect(await stopped).toMatchObject({ kind: 'timeout', sentence: expect.stringContaining('stopped') })
    const aborted = { signal: AbortSignal.abort() }
    expect(await outcome(dialTo('mail.example.com', 25), aborted)).toMatchObject({ kind: 'timeout' })
  })
})
