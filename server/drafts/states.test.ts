import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHANGED_ELSEWHERE, type Draft, type DraftSummary } from '../../contract/drafts.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { aSending, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

const PARTS = { recipients: ['bob@example.test'], subject: 'Hel', body: '', senderName: '', replyTo: '' }

function ask(method: string, id: string, body?: unknown): Promise<Answer> {
  const { origin } = running.config.publicUrl
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const headers = { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return ann.browser.send({ method, path: `/api/drafts/${id}`, headers, ...payload })
}
const find = async (id: string) => (await ask('GET', id)).json() as Draft
const save = async (id: string) => (await ask('PUT', id, PARTS)).json() as DraftSummary
const saveFrom = (basedOn: string | null, subject: string, id: string) =>
  ask('PUT', id, { ...PARTS, subject, basedOn })

describe('drafts that say what they were written from', () => {
  it('replace that, and nothing that was saved elsewhere since', async () => {
    const id = randomUUID()
    const first = (await saveFrom(null, 'first', id)).json() as DraftSummary
    const second = (await saveFrom(first.updatedAt, 'second', id)).json() as DraftSummary
    for (const basedOn of [first.updatedAt, null, '2020-01-01T00:00:00Z', '0000-01-01T00:00:00Z']) {
      const refused = await saveFrom(basedOn, 'unaware', id)
      expect([refused.status, refused.text]).toEqual([409, CHANGED_ELSEWHERE])
    }
    expect(await find(id)).toMatchObject({ subject: 'second', updatedAt: second.updatedAt })
    expect((await saveFrom(second.updatedAt, 'third', id)).status).toBe(200)
    expect(await find(id)).toMatchObject({ subject: 'third' })
  })

  it('are one at a time, however many come at once', async () => {
    const id = randomUUID()
    const { updatedAt } = await save(id)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => saveFrom(updatedAt, `${index}`, id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  it('are told apart although they are saved within one millisecond, or the clock goes back', async () => {
    const id = randomUUID()
    await save(id)
    await running.db
      .updateTable('drafts')
      .set({ updated_at: sql<Date>`date_trunc('milliseconds', now()) + interval '1 hour 999 microseconds'` })
      .where('id', '=', id)
      .execute()
    const { updatedAt } = await find(id)
    const next = (await saveFrom(updatedAt, 'next', id)).json() as DraftSummary
    expect(Date.parse(next.updatedAt)).toBe(Date.parse(updatedAt) + 1)
    expect((await saveFrom(updatedAt, 'unaware', id)).status).toBe(409)
  })

  it('are not deleted by whoever knows nothing of what was saved since', async () => {
    const id = randomUUID()
    const { updatedAt: first } = await save(id)
    const { updatedAt: second } = await save(id)
    const refused = await ask('DELETE', `${id}?basedOn=${first}`)
    expect([refused.status, refused.text]).toEqual([409, CHANGED_ELSEWHERE])
    expect(await find(id)).toMatchObject(PARTS)
    expect((await ask('DELETE', `${id}?basedOn=yesterday`)).status).toBe(400)
    expect((await ask('DELETE', `${id}?basedOn=${second}`)).status).toBe(200)
    expect((await ask('DELETE', `${id}?basedOn=${second}`)).status).toBe(404)
  })

  it('stay when a send knows nothing of what was saved since, and go with one that does', async () => {
    const [first, known] = [await save(randomUUID()), await save(randomUUID())]
    await save(first.id)
    const stale = { draftId: first.id, draftBasedOn: first.updatedAt }
    await send(ann.browser, stale)
    await send(ann.browser, { ...stale, draftBasedOn: null })
    expect(await find(first.id)).toMatchObject(PARTS)
    await send(ann.browser, { draftId: known.id, draftBasedOn: known.updatedAt })
    expect((await ask('GET', known.id)).status).toBe(404)
    const refused = await ann.browser.post('/api/send-email', aSending({ draftBasedOn: 'yesterday' }))
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/^[A-Z].{10,}$/)])
  })

  it('are sent once by another try that knows a later state, and go with it', async () => {
    const { id: draftId, updatedAt } = await save(randomUUID())
    const key = { 'idempotency-key': draftId }
    const first = await send(ann.browser, { draftId, draftBasedOn: updatedAt }, key)
    const { updatedAt: again } = await save(draftId)
    expect(await send(ann.browser, { draftId, draftBasedOn: updatedAt }, key)).toEqual(first)
    expect(await find(draftId)).toMatchObject(PARTS)
    expect(await send(ann.browser, { draftId, draftBasedOn: again }, key)).toEqual(first)
    expect((await ask('GET', draftId)).status).toBe(404)
  })

  it('come back when what they were written from is gone', async () => {
    const id = randomUUID()
    const { updatedAt } = await save(id)
    await ask('DELETE', id)
    expect((await saveFrom(updatedAt, 'still here', id)).status).toBe(200)
    expect(await find(id)).toMatchObject({ subject: 'still here' })
  })
})
