import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../../test/running-app.ts'

let running: RunningApp
const PUBLIC_URL = 'https://post.example.test'
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL, LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

describe('a body', () => {
  const fields = [
    'verified',
    'id',
    'userId',
    'user_id',
    'status',
    'sentDate',
    'usageCount',
    'fromEmail',
    'createdAt',
    'isAdmin',
  ]

  it('with a field that the contract does not know is refused', async () => {
    const known: Record<string, object> = {
      '/api/auth/register': { email: 'mass@x.test', password: PASSWORD },
      '/api/auth/login': { email: 'mass@x.test', password: PASSWORD },
      '/api/auth/forgot-password': { email: 'mass@x.test' },
      '/api/auth/logout': {},
    }
    for (const [path, body] of Object.entries(known))
      for (const field of fields) {
        const answer = await running.browser().post(path, { ...body, [field]: 'x' })
        expect({ path, field, status: answer.status }).toMatchObject({ status: 400 })
        expect(answer.text).toBe(`The request has an unknown entry "${field}"`)
      }
    await running.settled()
    expect(await running.mails.all('mass@x.test')).toHaveLength(0)
  })

  it('is described, for every call that takes one, as nothing but the fields that are named', async () => {
    type Body = { type?: string; anyOf?: Body[]; additionalProperties?: unknown }
    type Described = { requestBody?: { content: { 'application/json': { schema: Body } } } }
    const { paths } = (await running.browser().get('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, Described>>
    }
    const bodies = Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap(
        ({ requestBody }) => requestBody?.content['application/json'].schema ?? [],
      ),
    )
    const objects = bodies.flatMap((body) => body.anyOf ?? [body]).filter(({ type }) => type === 'object')
    expect(objects.length).toBeGreaterThan(20)
    expect(objects.every(({ additionalProperties }) => additionalProperties === false)).toBe(true)
  })

  it.each([
    ['{"__proto__":{"isAdmin":true},"email":"a@x.test","password":"long enough 1"}'],
    ['{"constructor":{"prototype":{"isAdmin":true}},"email":"a@x.test","password":"long enough 1"}'],
    ['{"email":{"toString":"a@x.test"},"password":"long enough 1"}'],
    ['{"email":["a@x.test"],"password":"long enough 1"}'],
    ['{"email":"a@x.test","password":["long enough 1"]}'],
    ['{"email":"a@x.test","password":123456789}'],
    ['{"email":null,"password":true}'],
    ['[]'],
    ['null'],
    ['"text"'],
    ['{"email":'],
    [''],
    ['\u0000'],
  ])('of the wrong shape is refused in one sentence: %s', async (payload) => {
    for (const path of [
      '/api/auth/register',
      '/api/auth/login',
      '/api/auth/reset-password',
      '/api/auth/verify',
    ]) {
      const answer = await running.browser().send({
        method: 'POST',
        path,
        payload,
        headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
      })
      expect({ path, status: answer.status }).toMatchObject({ status: 400 })
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.text).toMatch(/^[A-Z][^\n{}]{5,160}$/)
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('that is too large is refused with 413', async () => {
    const answer = await running
      .browser()
      .post('/api/auth/login', { email: 'a@x.test', password: 'x'.repeat(300_000) })
    expect(answer).toMatchObject({ status: 413, text: 'The request body is too large' })
  })
})

describe('a text with a NUL, which no database takes,', () => {
  it('is refused everywhere it can be typed', async () => {
    const browser = running.browser()
    for (const path of ['login', 'register'])
      expect(
        await browser.post(`/api/auth/${path}`, { email: 'a\u0000b', password: PASSWORD }),
      ).toMatchObject({ status: 400 })
    expect(await browser.post('/api/auth/forgot-password', { email: 'a\u0000b' })).toMatchObject({
      status: 400,
    })
    expect(
      await browser.post('/api/auth/reset-password', { token: 'a\u0000b', password: PASSWORD }),
    ).toMatchObject({ status: 400 })
    for (const path of [
      '/local-mailbox/messages?to=%00',
      '/local-mailbox?to=a%00',
      '/local-mailbox?id=%00',
      '/api/auth/reset-password/%00',
    ])
      expect([400, 404]).toContain((await browser.get(path)).status)
  })
})

describe('the description of the interface', () => {
  it('says of every call whether it needs the session, and leaves none out', async () => {
    const document = (await running.browser().get('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, { security?: unknown[]; responses: object }>>
      components: { securitySchemes: { session: { name: string } } }
    }
    expect(document.components.securitySchemes.session.name).toBe('__Host-postrider_session')
    const told = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { security }]) => `${method} ${path}${security ? ' public' : ''}`,
      ),
    )
    expect(told.sort()).toEqual([
      'delete /api/drafts/{id}',
      'delete /api/inbox/message/{inboxId}/{messageId}',
      'delete /api/telegram/code',
      'delete /api/telegram/link/{telegramUserId}',
      'delete /api/templates/{id}',
      'get /api/auth/reset-password/{token} public',
      'get /api/auth/session',
      'get /api/drafts',
      'get /api/drafts/{id}',
      'get /api/email-activity',
      'get /api/email-history',
      'get /api/email-history/{id}',
      'get /api/email-history/{id}/deliveries',
      'get /api/email-history/{id}/deliveries.csv',
      'get /api/email-history/{id}/recipients',
      'get /api/events',
      'get /api/inbox/address',
      'get /api/inbox/list',
      'get /api/inbox/message/{inboxId}/{messageId}',
      'get /api/inbox/message/{inboxId}/{messageId}/attachments/{index}',
      'get /api/inbox/message/{inboxId}/{messageId}/html',
      'get /api/inbox/message/{inboxId}/{messageId}/source',
      'get /api/inbox/summary',
      'get /api/instance public',
      'get /api/openapi.json public',
      'get /api/settings',
      'get /api/stats',
      'get /api/suppressions',
      'get /api/suppressions.csv',
      'get /api/telegram/bot',
      'get /api/telegram/links',
      'get /api/templates',
      'get /api/templates/{id}',
      'patch /api/inbox/message/{inboxId}/{messageId}',
      'post /api/auth/forgot-password public',
      'post /api/auth/login public',
      'post /api/auth/logout public',
      'post /api/auth/register public',
      'post /api/auth/resend-verification public',
      'post /api/auth/reset-password public',
      'post /api/auth/verify public',
      'post /api/email-history/{id}/cancel',
      'post /api/email-history/{id}/pause',
      'post /api/email-history/{id}/resume',
      'post /api/email-history/{id}/retry-failed',
      'post /api/email-history/{id}/retry-unconfirmed',
      'post /api/inbound/mailgun/{token}/mime public',
      'post /api/inbound/{provider}/{token} public',
      'post /api/inbox/reply',
      'post /api/send-email',
      'post /api/settings',
      'post /api/suppressions',
      'post /api/suppressions/check',
      'post /api/suppressions/remove',
      'post /api/telegram/link',
      'post /api/telegram/webhook public',
      'post /api/templates',
      'post /api/verify-provider',
      'post /api/webhooks/{provider}/{token} public',
      'put /api/drafts/{id}',
      'put /api/inbox/address',
      'put /api/templates/{id}',
    ])
  })
})
