import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { aSending, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running, { email: 'Ann.Smith@example.test' })
})
afterAll(() => running[Symbol.asyncDispose]())

const post = (parts: Record<string, unknown>): Promise<Answer> =>
  ann.browser.post('/api/send-email', aSending(parts))

/** All that a request may leave behind. */
async function stored(): Promise<unknown> {
  const { rows } = await sql`select (select count(*) from campaigns) as campaigns,
    (select count(*) from runs) as runs, (select count(*) from deliveries) as deliveries,
    (select count(*) from idempotency_keys) as keys, (select count(*) from pgboss.job) as jobs,
    (select sum(usage_count) from templates) as uses`.execute(running.db)
  return rows[0]
}

async function expectRefusal(asking: () => Promise<Answer>, status = 400): Promise<string> {
  await running.settled()
  const before = await stored()
  const answer = await asking()
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['content-type']).toContain('text/plain')
  expect(answer.text).toMatch(/^[A-Z"][^\n\r\0\u0085\u2028]*$/)
  expect(await stored()).toEqual(before)
  return answer.text
}

describe('the answer', () => {
  it('has id, number of recipients and who was left out', async () => {
    const answer = await post({ recipients: recipients(3) })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      recipients: 3,
      suppressed: [],
    })
  })

  it('counts each mailbox once, in whatever spellings it is named', async () => {
    const spellings = [
      'Bob@Example.test',
      'bob@example.test',
      ' bob@EXAMPLE.test. ',
      'Bob B. <bob@example.test>',
    ]
    const domains = ['eve@bücher.test', 'eve@xn--bcher-kva.test', 'EVE@BÜCHER.test', 'eve@bu\u0308cher.test']
    const { id, recipients: count } = await send(ann.browser, { recipients: [...spellings, ...domains] })
    expect(count).toBe(2)
    expect(await detail(ann.browser, id)).toMatchObject({
      recipientCount: 2,
      recipients: ['Bob@Example.test', 'eve@bücher.test'],
    })
    const done = await finished(ann.browser, id)
    expect(done.counts.accepted).toBe(2)
  })

  it('keeps different people apart', async () => {
    const different = ['a.b@x.test', 'ab@x.test', 'a.b+c@x.test', 'a.b@y.test', 'a.b@x.y.test', 'ä.b@x.test']
    expect((await send(ann.browser, { recipients: different })).recipients).toBe(different.length)
  })

  it('comes only when every recipient is stored, for a long list as well', async () => {
    const { id, recipients: count } = await send(ann.browser, { recipients: recipients(3_000, 'long') })
    expect(count).toBe(3_000)
    const { rows } = await sql`select 1 from deliveries where campaign_id = ${id}`.execute(running.db)
    expect(rows).toHaveLength(3_000)
    await ann.browser.post(`/api/email-history/${id}/cancel`, {})
  })
})

describe('a list with bad addresses is refused, and nothing of it is stored:', () => {
  it('one is named', async () => {
    const text = await expectRefusal(() => post({ recipients: ['good@x.test', 'not an address'] }))
    expect(text).toBe('"not an address" is not a valid e-mail address')
  })

  it('the first twenty are named and the others counted', async () => {
    const bad = Array.from({ length: 23 }, (_, index) => `bad ${index + 1}`)
    const text = await expectRefusal(() => post({ recipients: [...recipients(1_500), ...bad] }))
    expect(text).toContain('"bad 1", "bad 2"')
    expect(text).toMatch(/"bad 20" and 3 more$/)
    expect(text).not.toContain('bad 21')
  })

  it('a very long one is not repeated in full', async () => {
    const text = await expectRefusal(() => post({ recipients: [`${'x'.repeat(500)} y`] }))
    expect(text.length).toBeLessThan(200)
  })

  it.each([
    '"a@evil.test x"@internal.test',
    'a@x.test, b@x.test',
    'a@x.test b@x.test',
    'a@x.test;b@x.test',
    'group: a@x.test;',
    '<a@x.test> b@x.test',
    'a@x.test (comment)',
    '@relay.test:a@x.test',
    'a@[127.0.0.1]',
    'a@b@x.test',
    'a@x..test',
    '.a@x.test',
    '',
    ' ',
  ])('%j, which some would read as another address', async (recipient) => {
    await expectRefusal(() => post({ recipients: ['good@x.test', recipient] }))
  })
})

describe('too much is refused with 413:', () => {
  it('more than 100,000 recipients', async () => {
    const text = await expectRefusal(() => post({ recipients: Array(100_001).fill('a@x.test') }), 413)
    expect(text).toContain('100,000')
  })

  it('a request beyond the limit', async () => {
    const payload = `{"recipients":["a@x.test"],"subject":"s","body":"${'x'.repeat(16 * 1024 * 1024)}"}`
    const headers = { origin: running.config.publicUrl.origin, 'content-type': 'application/json' }
    await expectRefusal(
      () => ann.browser.send({ method: 'POST', path: '/api/send-email', payload, headers }),
      413,
    )
  })
})

describe('what has not the expected form is refused in one plain sentence:', () => {
  const wrong: [string, Record<string, unknown>][] = [
    ['no recipients', { recipients: [] }],
    ['recipients as text', { recipients: 'a@x.test' }],
    ['a recipient that is an object', { recipients: [{ address: 'a@x.test' }] }],
    ['a recipient that is a list', { recipients: [['a@x.test']] }],
    ['no subject', { subject: '' }],
    ['a subject of blanks', { subject: '  ' }],
    ['a subject that is a list', { subject: ['x'] }],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }],
    ['a body from a file', { body: { path: '/etc/passwd' } }],
    ['a body from elsewhere', { body: { href: 'http://127.0.0.1/' } }],
    ['no body', { body: undefined }],
    ['a sender name that is null', { senderName: null }],
    ['a reply address that is a list', { replyTo: ['a@x.test', 'b@x.test'] }],
    ['two reply addresses', { replyTo: 'a@x.test, b@x.test' }],
    ['a template that is a number', { templateId: 7 }],
    ...['id', 'userId', 'status', 'sentDate', 'usageCount', 'fromEmail', 'constructor'].map(
      (name): [string, Record<string, unknown>] => [`the field ${name}`, { [name]: 'x' }],
    ),
  ]
  it.each(wrong)('%s', async (_, parts) => {
    await expectRefusal(() => post(parts))
  })

  it('a prototype', async () => {
    const payload = JSON.stringify(aSending()).replace('{', '{"__proto__":{"isAdmin":true},')
    const headers = { origin: running.config.publicUrl.origin, 'content-type': 'application/json' }
    await expectRefusal(() => ann.browser.send({ method: 'POST', path: '/api/send-email', payload, headers }))
  })

  const BREAKS = ['\r', '\n', '\r\nBcc: eve@evil.test', '\0', '\u0085', '\u2028', '\u2029', '\x07']
  it.each(BREAKS)('%j in any field that becomes a header', async (sign) => {
    for (const parts of [
      { subject: `Hello${sign}you` },
      { senderName: `Ann${sign}Smith` },
      { replyTo: `ann${sign}@x.test` },
      { replyTo: `ann@x.test${sign}x` },
      { recipients: [`bob${sign}@x.test`] },
      { recipients: [`Bob${sign}B <bob@x.test>`] },
      { recipients: [`"Bob${sign}B" <bob@x.test>`] },
    ])
      await expectRefusal(() => post(parts))
  })

  it('a NUL in the message', async () => {
    await expectRefusal(() => post({ body: 'a\0b' }))
  })
})

it('needs a session', async () => {
  const answer = await running.browser().post('/api/send-email', aSending())
  expect(answer.status).toBe(401)
})

it('sends nothing that was refused', async () => {
  await running.settled()
  expect(await running.mails.all('good@x.test')).toEqual([])
  expect(await running.mails.all('eve@evil.test')).toEqual([])
})
