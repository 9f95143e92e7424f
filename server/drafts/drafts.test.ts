import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DRAFTS_MAX, type Draft, type DraftSummary } from '../../contract/drafts.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { aSending, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

const PARTS = {
  recipients: ['Bob <bob@example.test>', 'half an addr'],
  subject: 'Hel',
  body: 'Line 1\nLi',
  senderName: 'Ann',
  replyTo: 'ann@',
  templateId: 'of-the-page',
}
const EMPTY = { recipients: [], subject: '', body: '', senderName: '', replyTo: '' }

function ask(method: string, path: string, body?: unknown, user = ann): Promise<Answer> {
  const origin = running.config.publicUrl.origin
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const headers = { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return user.browser.send({ method, path: `/api/drafts${path}`, headers, ...payload })
}
async function save(parts: Partial<typeof PARTS> = {}, { user = ann, id = randomUUID() as string } = {}) {
  const answer = await ask('PUT', `/${id}`, { ...PARTS, ...parts }, user)
  if (answer.status !== 200) throw new Error(`the draft answered ${answer.status}: ${answer.text}`)
  return answer.json() as DraftSummary
}
const list = async (user = ann) => (await ask('GET', '', undefined, user)).json() as DraftSummary[]
const find = async (id: string, user = ann) => (await ask('GET', `/${id}`, undefined, user)).json() as Draft

it('are kept half-written, read as they were, listed without letters, and deleted', async () => {
  const user = await aUser(running)
  const saved = await save({}, { user })
  expect(saved).toEqual({
    id: expect.any(String),
    subject: 'Hel',
    recipientCount: 2,
    templateId: 'of-the-page',
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await find(saved.id, user)).toEqual({ id: saved.id, ...PARTS, updatedAt: saved.updatedAt })
  const empty = await save(EMPTY, { user })
  expect(await list(user)).toEqual([empty, saved])
  expect((await ask('DELETE', `/${saved.id}`, undefined, user)).status).toBe(200)
  expect((await ask('DELETE', `/${saved.id}`, undefined, user)).status).toBe(404)
  expect((await ask('GET', `/${saved.id}`, undefined, user)).status).toBe(404)
  expect(await list(user)).toEqual([empty])
})

it('are one draft however often they are saved under one id, also at the same time', async () => {
  const user = await aUser(running)
  const id = randomUUID()
  await Promise.all(Array.from({ length: 10 }, (_, index) => save({ subject: `${index}` }, { user, id })))
  const last = await save({ subject: 'last', recipients: [] }, { user, id })
  expect(await list(user)).toEqual([last])
  expect(await find(id, user)).toMatchObject({ ...PARTS, subject: 'last', recipients: [] })
})

it('hold whatever can be typed', async () => {
  const odd = [
    '',
    ' ',
    '"',
    '\\',
    'a\nb',
    '\ud83d\ude00',
    '\ud800',
    '\u0000',
    '{"x":1}',
    "'; drop table drafts --",
  ]
  const { id } = await save({ recipients: odd, subject: 'a\nb', body: '\\ " \u2028' })
  expect(await find(id)).toMatchObject({ recipients: odd, subject: 'a\nb', body: '\\ " \u2028' })
})

it('hold as many recipients as can be sent to, and the list still loads none of them', async () => {
  const everybody = recipients(100_000)
  const user = await aUser(running)
  const saved = await save({ recipients: everybody }, { user })
  expect(saved.recipientCount).toBe(100_000)
  expect((await find(saved.id, user)).recipients).toEqual(everybody)
  expect((await ask('GET', '', undefined, user)).text.length).toBeLessThan(300)
})

it('go when there are too many, the oldest first', async () => {
  const user = await aUser(running)
  const first = await save({}, { user })
  const second = await save({}, { user })
  const others: string[] = []
  for (let count = 2; count < DRAFTS_MAX; count++) others.push((await save({}, { user })).id)
  // The first is written on, so that the second is now the oldest.
  await save({}, { user, id: first.id })
  const newest = await save({}, { user })
  expect((await list(user)).map(({ id }) => id)).toEqual([newest.id, first.id, ...others.reverse()])
  expect((await ask('GET', `/${second.id}`, undefined, user)).status).toBe(404)
  expect(await list()).not.toEqual([])
})

describe('of somebody else', () => {
  const comparable = ({ status, text, headers: { date: _, ...headers } }: Answer) => ({
    status,
    text,
    headers,
  })

  it.each(['GET', 'DELETE'])('answer %s exactly like absent ones', async (method) => {
    const { id } = await save()
    const eve = await aUser(running)
    const foreign = await ask(method, `/${id}`, undefined, eve)
    expect(foreign.status).toBe(404)
    expect(comparable(foreign)).toEqual(comparable(await ask(method, `/${randomUUID()}`, undefined, eve)))
    expect(await find(id)).toMatchObject(PARTS)
    expect(await list(eve)).toEqual([])
  })

  it('cannot be written over, and a PUT answers exactly like one of an absent id', async () => {
    const saved = await save()
    const eve = await aUser(running)
    const parts = { ...PARTS, subject: 'Mine' }
    const foreign = await ask('PUT', `/${saved.id}`, parts, eve)
    const absent = await ask('PUT', `/${randomUUID()}`, parts, eve)
    expect([foreign.status, foreign.headers]).toMatchObject([
      absent.status,
      { ...absent.headers, date: expect.anything() },
    ])
    expect(await find(saved.id)).toEqual({ id: saved.id, ...PARTS, updatedAt: saved.updatedAt })
    expect((await list(eve)).map(({ subject }) => subject)).toEqual(['Mine', 'Mine'])
  })

  it('are not deleted by a send that names them', async () => {
    const { id } = await save()
    const eve = await aUser(running)
    await send(eve.browser, { draftId: id })
    expect(await find(id)).toMatchObject(PARTS)
  })
})

describe('with a send', () => {
  it('go in the same moment, and a repetition gives the first answer', async () => {
    const user = await aUser(running)
    const { id: draftId } = await save({}, { user })
    const other = await save({}, { user })
    const key = { 'idempotency-key': randomUUID() }
    const first = await send(user.browser, { draftId }, key)
    expect(await list(user)).toEqual([other])
    expect(await send(user.browser, { draftId }, key)).toEqual(first)
    expect(await list(user)).toEqual([other])
  })

  it('stay when it is refused', async () => {
    const user = await aUser(running)
    const draft = await save({}, { user })
    const refused = aSending({ draftId: draft.id, recipients: ['nobody'] })
    expect((await user.browser.post('/api/send-email', refused)).status).toBe(400)
    expect(await list(user)).toEqual([draft])
  })

  it('need not be there', async () => {
    const { browser } = await aUser(running)
    expect((await send(browser, { draftId: randomUUID() })).recipients).toBe(1)
    const answer = await browser.post('/api/send-email', aSending({ draftId: 'x' }))
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/^[A-Z].{10,}$/)])
  })
})

it.each(['x', '%00', "'%20or%201=1", 'x'.repeat(150), '00000000-0000-0000-0000-000000000000'])(
  'the id %s is no draft',
  async (id) => {
    for (const method of ['GET', 'DELETE']) expect((await ask(method, `/${id}`)).status, method).toBe(404)
  },
)

it.each([
  ['no recipients', { recipients: undefined }],
  ['recipients as a text', { recipients: 'bob@example.test' }],
  ['a recipient of 601 characters', { recipients: ['x'.repeat(601)] }],
  ['a recipient that is a number', { recipients: [1] }],
  ['100,001 recipients', { recipients: Array.from({ length: 100_001 }, () => '') }, 413],
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }],
  ['a subject with NUL', { subject: 'a\0b' }],
  ['a body with NUL', { body: 'a\0b' }],
  ['a body of 100,001 characters', { body: 'x'.repeat(100_001) }],
  ['a sender name with NUL', { senderName: '\0' }],
  ['a reply-to with NUL', { replyTo: '\0' }],
  ['an id of its own', { id: randomUUID() }],
  ['an owner of its own', { userId: randomUUID() }],
  ['a time of its own', { updatedAt: new Date() }],
  ['a state that is no time', { basedOn: 'yesterday' }],
])('are refused in one sentence with %s', async (_, parts, status = 400) => {
  const saved = await save()
  for (const id of [saved.id, randomUUID()]) {
    const answer = await ask('PUT', `/${id}`, { ...PARTS, ...parts })
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
  }
  expect(await find(saved.id)).toMatchObject(PARTS)
})

it('are refused in one sentence under an id that is none', async () => {
  for (const id of ['x', '%00', "'%20or%201=1"]) {
    const answer = await ask('PUT', `/${id}`, PARTS)
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/^[A-Z].{10,}$/)])
  }
})

it('need a session', async () => {
  const nobody = { ...ann, browser: running.browser() }
  const { id } = await save()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', `/${id}`, undefined],
    ['PUT', `/${id}`, PARTS],
    ['DELETE', `/${id}`, undefined],
  ] as const)
    expect((await ask(method, path, body, nobody)).status, method).toBe(401)
})
