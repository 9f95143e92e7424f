import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  RIGHT_NAME,
  TEST_AUTHORITY,
  type TestCertificate,
  WRONG_NAME,
} from '../test/simulators/certificates.ts'
import { createDialer, trustedDial } from './dialer.ts'
import { createDownload } from './download.ts'
import { createMemoryBudget } from './memory-budget.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function aServer(answer: RequestListener, certificate?: TestCertificate): Promise<URL> {
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer)
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return new URL(
    `http${certificate ? 's' : ''}://localhost:${(server.address() as AddressInfo).port}/raw?secret`,
  )
}

/** Trusts one origin; every other place on this machine has to be named by the operator. */
function fetchFrom(
  url: URL,
  { trusted = url, allowed = [] as string[], most = 1_000_000, bytes = 2_000_000, timeoutMs = 5_000 } = {},
) {
  const download = createDownload({
    dial: createDialer({ allowedPrivate: allowed }),
    trusted: { origin: trusted.origin, dial: trustedDial },
    timeoutMs,
    ca: TEST_AUTHORITY,
  })
  const memory = createMemoryBudget({ bytes, patienceMs: 10 }).share()
  return download(url, { most, memory })
}

const MAIL = Buffer.from([0, 13, 10, 255, 128])
const NOWHERE = new URL('http://127.0.0.1:1')

describe('a download', () => {
  it('gives every byte, over HTTPS from wherever the operator lets it go', async () => {
    const url = await aServer((_, response) => response.end(MAIL), RIGHT_NAME)
    expect(await fetchFrom(url, { trusted: NOWHERE, allowed: ['localhost'] })).toEqual(MAIL)
  })

  it('needs a certificate of the right name', async () => {
    const url = await aServer((_, response) => response.end(MAIL), WRONG_NAME)
    await expect(fetchFrom(url)).rejects.toThrow(/altnames|certificate/i)
  })

  it('is plain only where the operator has said so, and never from a private place', async () => {
    const url = await aServer((_, response) => response.end(MAIL))
    expect(await fetchFrom(url)).toEqual(MAIL)
    await expect(fetchFrom(url, { trusted: NOWHERE, allowed: ['localhost'] })).rejects.toThrow('HTTPS')
    const secure = await aServer((_, response) => response.end(MAIL), RIGHT_NAME)
    await expect(fetchFrom(secure, { trusted: NOWHERE })).rejects.toThrow('not on the public internet')
    await expect(fetchFrom(new URL('file:///etc/passwd'))).rejects.toThrow('HTTPS')
  })

  it('follows a redirect, but not to a private place, to plain HTTP, or for ever', async () => {
    const inner = await aServer((_, response) => response.end(MAIL), RIGHT_NAME)
    let to = inner.href
    const outer = await aServer((_, response) => response.writeHead(302, { location: to }).end())
    expect(await fetchFrom(outer, { allowed: ['localhost'] })).toEqual(MAIL)
    await expect(fetchFrom(outer)).rejects.toThrow('not on the public internet')
    to = (await aServer((_, response) => response.end(MAIL))).href
    await expect(fetchFrom(outer, { allowed: ['localhost'] })).rejects.toThrow('HTTPS')
    to = '/again'
    await expect(fetchFrom(outer)).rejects.toThrow('from one place to the next')
    to = 'http://'
    await expect(fetchFrom(outer)).rejects.toThrow('answered 302')
  })

  it('ends where there is too much, told or not, or less than was told', async () => {
    const told = await aServer((_, response) => response.end(Buffer.alloc(1_000)))
    expect(await fetchFrom(told, { most: 1_000 })).toHaveLength(1_000)
    await expect(fetchFrom(told, { most: 999 })).rejects.toThrow('too large')
    const endless = await aServer((_, response) => {
      const more = () =>
        void (response.destroyed || response.write(Buffer.alloc(10_000), () => setImmediate(more)))
      more()
    })
    await expect(fetchFrom(endless)).rejects.toThrow('too large')
    const broken = await aServer((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy())
    })
    await expect(fetchFrom(broken)).rejects.toThrow('broke off')
  })

  it('waits for room, and ends where there is none', async () => {
    const url = await aServer((_, response) => response.end(Buffer.alloc(1_000)))
    await expect(fetchFrom(url, { bytes: 999 })).rejects.toMatchObject({ status: 503 })
  })

  it('ends where nobody answers, or something else is answered, and keeps the address to itself', async () => {
    const silent = await aServer(() => {})
    // Long enough to get through to it, also on a machine that stands still for a moment.
    await expect(fetchFrom(silent, { timeoutMs: 2_000 })).rejects.toThrow(/abort/)
    const away = await aServer((_, response) => response.writeHead(403).end('no'))
    await expect(fetchFrom(away)).rejects.toThrow(/^localhost:\d+ answered 403$/)
  })
})
