import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { aSending, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

let keys = 0
const aKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `key-${++keys}` })

const campaigns = async (userId = ann.userId): Promise<number> => {
  const rows = await running.db.selectFrom('campaigns').select('id').where('user_id', '=', userId).execute()
  return rows.length
}

it('makes one campaign of twenty equal requests at the same time, and answers all alike', async () => {
  const before = await campaigns()
  const key = aKey()
  const asking = Array.from({ length: 20 }, () =>
    ann.browser.post('/api/send-email', aSending({ recipients: recipients(50, 'twenty') }), key),
  )
  const answers = await Promise.all(asking)
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await campaigns()).toBe(before + 1)
  await running.settled()
  expect(await running.mails.all('twenty50@example.test')).toHaveLength(1)
})

it('gives the first answer again, later and in any order of the fields', async () => {
  const key = aKey()
  const first = await send(ann.browser, {}, key)
  expect(await send(ann.browser, {}, key)).toEqual(first)
  const turned = Object.fromEntries(Object.entries(aSending()).reverse())
  expect((await ann.browser.post('/api/send-email', turned, key)).json()).toEqual(first)
})

it('gives the first answer again however long ago it was: a draft or a tab may be found open years later', async () => {
  const key = aKey()
  const first = await send(ann.browser, {}, key)
  await running.db
    .updateTable('idempotency_keys')
    .set({ created_at: sql<Date>`now() - interval '3 years'` })
    .where('key', '=', key['idempotency-key'])
    .execute()
  const before = await campaigns()
  expect(await send(ann.browser, {}, key)).toEqual(first)
  expect(await campaigns()).toBe(before)
})

it('refuses another request under the same key', async () => {
  const key = aKey()
  await send(ann.browser, {}, key)
  const before = await campaigns()
  for (const parts of [
    { subject: 'Another' },
    { recipients: ['carl@example.test'] },
    { senderName: 'Ann' },
    { body: 'How are you? ' },
  ]) {
    const answer = await ann.browser.post('/api/send-email', aSending(parts), key)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Idempotency-Key')
  }
  expect(await campaigns()).toBe(before)
})

it('takes a draft away that was saved again after it was sent, and keeps one that was changed', async () => {
  const draftId = randomUUID()
  const path = `/api/drafts/${draftId}`
  const save = (subject: string) =>
    ann.browser.send({
      method: 'PUT',
      path,
      payload: JSON.stringify({
        ...{ recipients: [], subject, body: '' },
        ...{ senderName: '', replyTo: '' },
      }),
      headers: { origin: running.config.publicUrl.origin, 'content-type': 'application/json' },
    })
  const key = aKey()
  const first = await send(ann.browser, { draftId }, key)
  expect((await save('Changed')).status).toBe(200)
  const changed = await ann.browser.post('/api/send-email', aSending({ draftId, subject: 'Changed' }), key)
  expect(changed.status).toBe(409)
  expect((await ann.browser.get(path)).status).toBe(200)
  expect(await send(ann.browser, { draftId }, key)).toEqual(first)
  expect((await ann.browser.get(path)).status).toBe(404)
})

it('refuses another request also while the first is under way', async () => {
  const key = aKey()
  const before = await campaigns()
  const answers = await Promise.all(
    ['One', 'Two'].map((subject) => ann.browser.post('/api/send-email', aSending({ subject }), key)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await campaigns()).toBe(before + 1)
})

it('keeps the keys of different users apart', async () => {
  const eve = await aUser(running)
  const key = aKey()
  const [mine, theirs] = [await send(ann.browser, {}, key), await send(eve.browser, {}, key)]
  expect(theirs.id).not.toBe(mine.id)
  expect(await campaigns(eve.userId)).toBe(1)
})

it('does not use up a key for a request that was refused', async () => {
  const key = aKey()
  const refused = await ann.browser.post(
    '/api/send-email',
    aSending({ recipients: ['x@x.test', 'bad'] }),
    key,
  )
  expect(refused.status).toBe(400)
  const { id } = await send(ann.browser, {}, key)
  expect((await send(ann.browser, {}, key)).id).toBe(id)
})

it('makes a campaign of each request without a key', async () => {
  const [first, second] = [await send(ann.browser), await send(ann.browser)]
  expect(first.id).not.toBe(second.id)
})

it.each([
  ['empty', ''],
  ['too long', 'x'.repeat(257)],
  ['with a space', 'a b'],
  ['not ASCII', 'schlüssel'],
])('refuses a key that is %s', async (_, key) => {
  const before = await campaigns()
  const answer = await ann.browser.post('/api/send-email', aSending(), { 'idempotency-key': key })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('Idempotency-Key')
  expect(await campaigns()).toBe(before)
})
