import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEMPLATES_MAX, TEMPLATES_TOTAL_MAX, type Template } from '../../contract/templates.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())

const PARTS = { name: 'Welcome', subject: 'Hello', body: 'Hi' }
const TOO_MANY = 'You have 500 templates, which is the most that are kept; delete one first'
const TOO_MUCH =
  'With this text your templates together would be larger than 10 MB, which is the most that is kept; shorten it, or delete another template first'

function ask({ browser }: SignedIn, method: string, id: string, parts = {}): Promise<Answer> {
  const headers = { origin: running.config.publicUrl.origin, 'content-type': 'application/json' }
  const payload = JSON.stringify({ ...PARTS, ...parts })
  return browser.send({ method, path: `/api/templates${id && `/${id}`}`, headers, payload })
}
const create = (user: SignedIn, parts = {}) => ask(user, 'POST', '', parts)
const listOf = async ({ browser }: SignedIn): Promise<Template[]> =>
  (await browser.get('/api/templates')).json() as Template[]

/** As many as asked for at once, each of so many bytes. */
async function fill({ userId }: SignedIn, count: number, bytes = 20): Promise<void> {
  const text = 'x'.repeat(bytes - 2)
  await sql`
    insert into templates (id, user_id, name, subject, body)
    select gen_random_uuid(), ${userId}, 'n', 's', ${text} from generate_series(1, ${count}::int)`.execute(
    running.db,
  )
}

describe('of one user', () => {
  it('S39: are 500 at most, and one more is refused until one is deleted', async () => {
    const user = await aUser(running)
    await fill(user, TEMPLATES_MAX - 1)
    const last = (await create(user)).json() as Template
    const refused = await create(user)
    expect([refused.status, refused.text]).toEqual([409, TOO_MANY])
    expect((await ask(user, 'PUT', last.id, { body: 'Longer than before' })).status).toBe(200)
    expect((await ask(user, 'DELETE', last.id)).status).toBe(200)
    expect((await create(user)).status).toBe(200)
    expect(await listOf(user)).toHaveLength(TEMPLATES_MAX)
    expect((await create(await aUser(running))).status).toBe(200)
  })

  it('that are more from before stay, and it is said how many have to go', async () => {
    const user = await aUser(running)
    await fill(user, TEMPLATES_MAX + 3)
    const refused = await create(user)
    expect([refused.status, refused.text]).toEqual([
      409,
      'You have 503 templates, and at most 500 are kept; delete 4 first',
    ])
    expect(await listOf(user)).toHaveLength(TEMPLATES_MAX + 3)
  })

  it('S39: hold 10 MB together at most, and what is longer than fits is refused, new or changed', async () => {
    const user = await aUser(running)
    // Each of "ä" is two bytes, and the name and the subject count too.
    const first = (await create(user, { name: 'n', subject: 's', body: 'ä'.repeat(50) })).json() as Template
    await fill(user, 1, TEMPLATES_TOTAL_MAX - 202)
    const second = (await create(user, { name: 'n', subject: 's', body: 'x'.repeat(98) })).json() as Template
    const before = await listOf(user)
    for (const answer of [
      await create(user, { name: 'n', subject: 's', body: '' }),
      await ask(user, 'PUT', first.id, { name: 'nn', subject: 's', body: 'ä'.repeat(50) }),
      await ask(user, 'PUT', second.id, { name: 'n', subject: 'ss', body: 'ä'.repeat(49) }),
    ])
      expect([answer.status, answer.text]).toEqual([409, TOO_MUCH])
    expect(await listOf(user)).toEqual(before)
    const sameLength = { name: 'n', subject: 's', body: 'ä'.repeat(49) }
    expect((await ask(user, 'PUT', second.id, sameLength)).status).toBe(200)
    expect((await ask(user, 'PUT', first.id, { name: 'n', subject: 's', body: '' })).status).toBe(200)
    expect((await create(user)).status).toBe(200)
    expect((await ask(user, 'PUT', randomUUID(), { body: 'x'.repeat(200) })).status).toBe(404)
  })

  it('that are longer together from before can be made shorter, though still too long', async () => {
    const user = await aUser(running)
    const { id } = (await create(user, { body: 'A long text' })).json() as Template
    await fill(user, 2, TEMPLATES_TOTAL_MAX)
    expect((await ask(user, 'PUT', id, { body: 'A long text.' })).text).toBe(TOO_MUCH)
    expect((await ask(user, 'PUT', id, { body: 'A text' })).json()).toMatchObject({ id, body: 'A text' })
  })

  it('S39: pass neither limit by being written many at once', async () => {
    const many = await aUser(running)
    await fill(many, TEMPLATES_MAX - 7)
    const long = await aUser(running)
    await fill(long, 1, TEMPLATES_TOTAL_MAX - 3 * 1_000 - 500)
    const body = 'x'.repeat(1_000 - 'Welcome'.length - 'Hello'.length)
    const twenty = Array.from({ length: 20 })
    const statuses = await Promise.all([
      Promise.all(twenty.map(async () => (await create(many)).status)),
      Promise.all(twenty.map(async () => (await create(long, { body })).status)),
    ])
    expect(statuses.map((all) => all.filter((status) => status === 200).length)).toEqual([7, 3])
    expect(statuses.map((all) => all.filter((status) => status === 409).length)).toEqual([13, 17])
    expect(await listOf(many)).toHaveLength(TEMPLATES_MAX)
    expect(await listOf(long)).toHaveLength(1 + 3)
  })
})
