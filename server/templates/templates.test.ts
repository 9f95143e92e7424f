import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEMPLATE_CHANGED_ELSEWHERE, type Template } from '../../contract/templates.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

const PARTS = { name: 'Welcome', subject: 'Hello', body: 'Line 1\nLine 2' }

function ask(method: string, path: string, body?: unknown, user = ann): Promise<Answer> {
  const origin = running.config.publicUrl.origin
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const headers = { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return user.browser.send({ method, path: `/api/templates${path}`, headers, ...payload })
}
const create = async (parts: Partial<typeof PARTS> = {}, user = ann): Promise<Template> =>
  (await ask('POST', '', { ...PARTS, ...parts }, user)).json() as Template

it('are kept, listed newest first, read, changed and deleted', async () => {
  const { browser, ...rest } = await aUser(running)
  const user = { browser, ...rest }
  const first = await create({}, user)
  expect(first).toEqual({ id: expect.any(String), ...PARTS, lastUsed: null, usageCount: 0 })
  const second = await create({ name: 'Second' }, user)
  expect((await ask('GET', '', undefined, user)).json()).toEqual([second, first])
  const changed = await ask('PUT', `/${first.id}`, { ...PARTS, name: 'Changed', body: '' }, user)
  expect(changed.json()).toEqual({ ...first, name: 'Changed', body: '' })
  expect((await ask('GET', `/${first.id}`, undefined, user)).json()).toEqual(changed.json())
  expect((await ask('DELETE', `/${first.id}`, undefined, user)).status).toBe(200)
  expect((await ask('GET', `/${first.id}`, undefined, user)).status).toBe(404)
  expect((await ask('DELETE', `/${first.id}`, undefined, user)).status).toBe(404)
  expect((await ask('GET', '', undefined, user)).json()).toEqual([second])
})

describe('of somebody else', () => {
  const ROUTES: [string, unknown][] = [
    ['GET', undefined],
    ['PUT', PARTS],
    ['DELETE', undefined],
  ]
  const comparable = ({ status, text, headers: { date: _, ...headers } }: Answer) => ({
    status,
    text,
    headers,
  })

  it.each(ROUTES)('answer %s exactly like absent ones, and stay as they are', async (method, body) => {
    const template = await create()
    const eve = await aUser(running)
    const foreign = await ask(method, `/${template.id}`, body, eve)
    expect(foreign.status).toBe(404)
    expect(comparable(foreign)).toEqual(comparable(await ask(method, `/${randomUUID()}`, body, eve)))
    expect((await ask('GET', `/${template.id}`)).json()).toEqual(template)
    expect((await ask('GET', '', undefined, eve)).json()).toEqual([])
  })

  it.each(ROUTES)('%s answers 404 to an id that is none', async (method, body) => {
    for (const id of ['x', '%00', "'%20or%201=1", 'x'.repeat(150), 'x'.repeat(400)])
      expect((await ask(method, `/${id}`, body)).status, id).toBe(404)
  })
})

it.each([
  ['no name', { name: ' ' }],
  ['a name with a line break', { name: 'a\nb' }],
  ['a name of 201 characters', { name: 'x'.repeat(201) }],
  ['no subject', { subject: '' }],
  ['a subject with U+2028', { subject: 'a\u2028b' }],
  ['a subject with NUL', { subject: 'a\0b' }],
  ['a body with NUL', { body: 'a\0b' }],
  ['a body from a file', { body: { path: '/etc/passwd' } }],
  ['a count of its own', { usageCount: 9 }],
  ['an owner of its own', { userId: randomUUID() }],
  ['an id of its own', { id: randomUUID() }],
])('are refused in one sentence with %s, new or changed', async (_, parts) => {
  const template = await create()
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${template.id}`],
  ] as const) {
    const answer = await ask(method, path, { ...PARTS, ...parts })
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
  }
  expect((await ask('GET', `/${template.id}`)).json()).toEqual(template)
})

describe('that say what they were written from', () => {
  const textOf = ({ name, subject, body }: Template) => ({ name, subject, body })
  const read = async ({ id }: Template) => (await ask('GET', `/${id}`)).json() as Template

  it('replace that text, and no other that was saved since', async () => {
    const template = await create()
    const { id } = template
    const elsewhere = { ...PARTS, body: 'Written elsewhere' }
    const first = await ask('PUT', `/${id}`, { ...elsewhere, basedOn: textOf(template) })
    expect(first.json()).toEqual({ ...template, ...elsewhere })
    for (const part of ['name', 'subject', 'body']) {
      const basedOn = { ...elsewhere, [part]: 'As it was' }
      const refused = await ask('PUT', `/${id}`, { ...PARTS, body: 'Written here', basedOn })
      expect([refused.status, refused.text]).toEqual([409, TEMPLATE_CHANGED_ELSEWHERE])
    }
    expect(await read(template)).toEqual(first.json())
    const knowing = await ask('PUT', `/${id}`, { ...PARTS, body: 'Written here', basedOn: elsewhere })
    expect(knowing.json()).toEqual({ ...template, body: 'Written here' })
  })

  it('replace any text where they do not say it', async () => {
    const template = await create({ body: 'Written elsewhere' })
    expect((await ask('PUT', `/${template.id}`, PARTS)).json()).toEqual({ ...template, ...PARTS })
  })

  it('know it again by what was stored of it: spaces around, line ends and broken letters', async () => {
    const typed = { name: ' Welcome ', subject: '\u00a0Hello ', body: ' Line 1\r\nLine 2\rLine 3\ud83d ' }
    const template = await create(typed)
    const read = await ask('PUT', `/${template.id}`, { ...PARTS, ...typed, basedOn: textOf(template) })
    expect(read.status, read.text).toBe(200)
    const asTyped = await ask('PUT', `/${template.id}`, { ...PARTS, basedOn: typed })
    expect(asTyped.status, asTyped.text).toBe(200)
  })

  it('are saved again without a complaint when the first answer was lost', async () => {
    const template = await create()
    const request = { ...PARTS, body: 'Once', basedOn: textOf(template) }
    for (let time = 0; time < 2; time++)
      expect((await ask('PUT', `/${template.id}`, request)).json()).toEqual({ ...template, body: 'Once' })
  })

  it('at the same moment from the same text: exactly one is stored', async () => {
    const template = await create()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ask('PUT', `/${template.id}`, { ...PARTS, body: `By ${n}`, basedOn: textOf(template) }),
      ),
    )
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(await read(template)).toEqual(taken[0]?.json())
  })

  it.each([
    ['another field', { id: randomUUID() }],
    ['a NUL', { body: 'a\0b' }],
    ['no name', { name: undefined }],
    ['more than fits', { body: 'x'.repeat(100_001) }],
  ])('are refused in one sentence where that has %s', async (_, part) => {
    const template = await create()
    const answer = await ask('PUT', `/${template.id}`, { ...PARTS, basedOn: { ...PARTS, ...part } })
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
  })

  it('answer 404 for one that is gone', async () => {
    expect((await ask('PUT', `/${randomUUID()}`, { ...PARTS, basedOn: PARTS })).status).toBe(404)
  })
})

it('need a session', async () => {
  const nobody = { ...ann, browser: running.browser() }
  const { id } = await create()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', `/${id}`, undefined],
    ['POST', '', PARTS],
    ['PUT', `/${id}`, PARTS],
    ['DELETE', `/${id}`, undefined],
  ] as const)
    expect((await ask(method, path, body, nobody)).status, method).toBe(401)
})
