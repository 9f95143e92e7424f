import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD } from '../../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../../test/running-app.ts'

let running: RunningApp
const PUBLIC_URL = 'https://post.example.test'
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL, LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

/** Every write the server knows, read from its own description; a new route joins these tests by itself. */
async function everyWrite(): Promise<{ method: string; path: string }[]> {
  const { paths } = (await running.browser().get('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, unknown>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      // What providers and Telegram tell comes from elsewhere, and proves itself by signature or secret.
      .filter((method) => method !== 'get' && !/^\/api\/(webhooks|inbound|telegram\/webhook)\b/.test(path))
      .map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x') })),
  )
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a write', () => {
  it('from another site is refused before anything is read, on every route', async () => {
    const { browser } = await anAccount(running)
    const writes = await everyWrite()
    expect(writes.length).toBeGreaterThanOrEqual(6)
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'https://sub.post.example.test' },
      { origin: 'http://post.example.test' },
      { origin: 'https://post.example.test.evil.test' },
      { origin: PUBLIC_URL, 'sec-fetch-site': 'cross-site' },
      { origin: PUBLIC_URL, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const write of writes)
      for (const headers of foreign) {
        const answer = await browser.send({ ...write, payload: '{}', headers: { ...JSON_TYPE, ...headers } })
        expect({ ...write, headers, status: answer.status }).toMatchObject({ status: 403 })
        expect(answer.text).toBe(
          `This request does not come from ${PUBLIC_URL}; open Postrider there and try again`,
        )
      }
    expect(await browser.get('/api/auth/session')).toMatchObject({ status: 200 })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as %s, which a form of another site could send, is refused',
    async (type) => {
      const { browser } = await anAccount(running)
      for (const write of await everyWrite()) {
        const form = { ...write, payload: '{"email":"a@x.test"}', headers: { 'content-type': type } }
        expect(await browser.send(form)).toMatchObject({ status: 403 })
        const ours = { ...form, headers: { ...form.headers, origin: PUBLIC_URL } }
        expect((await browser.send(ours)).status).toBe(415)
      }
    },
  )

  it('from our own page is taken, by its origin or by what the browser says', async () => {
    const { email } = await anAccount(running)
    const body = JSON.stringify({ email, password: PASSWORD })
    const say = (headers: Record<string, string>) =>
      running.browser().send({
        method: 'POST',
        path: '/api/auth/login',
        payload: body,
        headers: { ...JSON_TYPE, ...headers },
      })
    expect(await say({ origin: PUBLIC_URL })).toMatchObject({ status: 200 })
    expect(await say({ origin: 'https://other.name.test', 'sec-fetch-site': 'same-origin' })).toMatchObject({
      status: 200,
    })
  })
})

describe('limits by address', () => {
  /** The last of a dozen wrong passwords for one account, each passed on for another caller. */
  async function lastGuessBy(peer: string): Promise<number> {
    const payload = JSON.stringify({ email: anAddress(), password: PASSWORD })
    let status = 0
    for (let caller = 1; caller <= 12; caller++) {
      const headers = { ...JSON_TYPE, origin: PUBLIC_URL, 'x-forwarded-for': `203.0.113.${caller}` }
      const answer = await running.app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers,
        payload,
        remoteAddress: peer,
      })
      status = answer.statusCode
    }
    return status
  }

  it.each([
    '127.0.0.1',
    '::ffff:10.0.0.2',
    '172.31.0.2',
    '192.168.0.2',
    '100.64.0.2',
    '100.127.255.254',
    '169.254.1.2',
    '::1',
    'fd00::2',
    'fe80::2%eth0',
  ])('tell callers apart behind a reverse proxy at %s', async (peer) => {
    expect(await lastGuessBy(peer)).toBe(401)
  })

  it.each(['100.63.255.254', '100.128.0.2', '169.253.1.2', '172.32.0.2', '198.51.100.2', '2600:3c00::2'])(
    'do not believe %s whom it calls for',
    async (peer) => {
      expect(await lastGuessBy(peer)).toBe(429)
    },
  )
})

describe('every answer', () => {
  it('carries the security headers, whatever it is', async () => {
    const { browser } = await anAccount(running)
    const answers = await Promise.all([
      browser.get('/'),
      browser.get('/sign-in'),
      browser.get('/favicon.svg'),
      browser.get('/api/auth/session'),
      browser.get('/api/nothing-here'),
      browser.get('/api/auth/reset-password/%ff'),
      browser.get('/.env'),
      browser.get('/healthz'),
      browser.get('/readyz'),
      browser.get('/local-mailbox'),
      browser.get('/local-mailbox/messages?to=a@x.test'),
      browser.get('/u/nobodys'),
      browser.send({ method: 'POST', path: '/u/nobodys', payload: 'action=undo' }),
      running.browser().get('/api/auth/session'),
      browser.post('/api/auth/login', { email: 1 }),
      browser.send({ method: 'POST', path: '/api/auth/login', payload: '{}', headers: { ...JSON_TYPE } }),
      browser.send({ method: 'DELETE', path: '/no/such/thing', headers: { origin: PUBLIC_URL } }),
    ])
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).not.toContain('unsafe-eval')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('server')
    }
  })

  it('with the picture of a mail carries them too, but other pages may show it', async () => {
    expect((await running.browser().get('/t/nobodys.gif')).headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store, private',
    })
  })

  it('of the interface is never kept by a cache', async () => {
    for (const path of ['/api/auth/session', '/api/instance', '/api/nothing'])
      expect((await running.browser().get(path)).headers['cache-control']).toBe('no-store')
  })

  it('with the page lets it load files of this origin only, and its styles by a nonce that is never the same', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await running.browser().get('/')).headers['content-security-policy']),
    )
    for (const policy of policies) {
      expect(policy).toContain("script-src 'self';")
      expect(policy).toMatch(/style-src 'self' 'nonce-[\w+/=]{22,}';/)
      expect(policy).not.toContain('unsafe-inline')
    }
    expect(policies[0]).not.toBe(policies[1])
  })

  it('to a path that leads out of the built files is nothing', async () => {
    const tricks = [
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/.env',
      '/.git/config',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/server/main.ts',
      '/index.html.map',
      '//etc/passwd',
    ]
    for (const path of tricks)
      expect({ path, status: (await running.browser().get(path)).status }).toMatchObject({ status: 404 })
  })

  it('to someone signed out is 401 on every route that is not public', async () => {
    const answer = await running.browser().get('/api/auth/session')
    expect(answer).toMatchObject({ status: 401, text: 'You are not signed in' })
  })
})
