import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveriesPage } from '../../contract/campaigns.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { deliveries, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let ann: SignedIn
let id: string
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
  ;({ id } = await send(ann.browser, { recipients: recipients(1_203) }))
  await finished(ann.browser, id)
  await running.db
    .updateTable('deliveries')
    .set({ state: 'f', accepted_at: null, reason: '=1+1, "no"\nsuch user' })
    .where('campaign_id', '=', id)
    .where('seq', '=', 7)
    .execute()
  await running.db
    .updateTable('runs')
    .set({ failed: 1, accepted: 1_202 })
    .where('campaign_id', '=', id)
    .execute()
})
afterAll(() => running[Symbol.asyncDispose]())

async function page(query: string): Promise<DeliveriesPage> {
  const answer = await ann.browser.get(`/api/email-history/${id}/deliveries${query}`)
  if (answer.status !== 200) throw new Error(`the deliveries answered ${answer.status}: ${answer.text}`)
  return answer.json() as DeliveriesPage
}
const addresses = ({ items }: DeliveriesPage): string[] => items.map(({ address }) => address)

describe('the deliveries of a campaign', () => {
  it('tell of each recipient what became of the mail', async () => {
    const [accepted] = (await page('?limit=1')).items
    expect(accepted).toEqual({
      address: 'r1@example.test',
      state: 'accepted',
      reason: null,
      attempts: 1,
      messageId: `<${id.replaceAll('-', '')}-1@postrider.localhost>`,
      providerId: expect.stringMatching(/\w/),
      triedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      acceptedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deliveredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      bouncedAt: null,
      complainedAt: null,
      openedAt: null,
      isUnsent: false,
    })
    const mail = await running.mails.latest('r1@example.test')
    expect(Object.values(mail.headers)).toContain(accepted?.messageId)
  })

  it('come in pages of 500 at most, each once, in the order of the list', async () => {
    const seen: string[] = []
    const sizes: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next = await page(cursor === '' ? '' : `?cursor=${cursor}`)
      seen.push(...addresses(next))
      sizes.push(next.items.length)
      cursor = next.nextCursor
    }
    expect(sizes).toEqual([500, 500, 203])
    expect(seen).toEqual(recipients(1_203))
  })

  it('are filtered by state and by part of an address', async () => {
    expect(addresses(await page('?state=failed'))).toEqual(['r7@example.test'])
    expect((await page('?state=unknown')).items).toEqual([])
    expect(addresses(await page('?q=R120'))).toEqual([
      'r120@example.test',
      'r1200@example.test',
      'r1201@example.test',
      'r1202@example.test',
      'r1203@example.test',
    ])
    const first = await page('?q=r120&limit=2&state=accepted')
    expect(addresses(first)).toEqual(['r120@example.test', 'r1200@example.test'])
    expect(addresses(await page(`?q=r120&limit=2&cursor=${first.nextCursor}`))).toEqual([
      'r1201@example.test',
      'r1202@example.test',
    ])
    for (const q of ['%25', '_', '%27']) expect((await page(`?q=${q}`)).items, q).toEqual([])
  })

  it.each([
    'limit=501',
    'limit=0',
    'state=sent',
    'state=a',
    'cursor=-1',
    'cursor=x',
    'cursor=9999999999',
    'q=a%00b',
    'x=1',
  ])('refuse %s in one sentence', async (query) => {
    const answer = await ann.browser.get(`/api/email-history/${id}/deliveries?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z].{10,}$/)
  })
})

it('exports all deliveries as CSV that a spreadsheet reads as text', async () => {
  const answer = await ann.browser.get(`/api/email-history/${id}/deliveries.csv`)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.csv"$/)
  const lines = answer.text.split('\r\n')
  expect(lines[0]).toBe(
    'address,state,reason,attempts,messageId,acceptedAt,deliveredAt,bouncedAt,complainedAt,openedAt,providerId',
  )
  expect(lines[1]).toMatch(
    /^r1@example\.test,accepted,,1,<[0-9a-f]{32}-1@postrider\.localhost>,\d{4}-.*Z,\d{4}-.*Z,,,,[^,]+$/,
  )
  // In quotes, the quotes in it doubled, and no formula at its beginning.
  expect(lines[7]).toMatch(/^r7@example\.test,failed," =1\+1, ""no""\nsuch user",1,<.*>,,[^,]*,,,,[^,]*$/)
  expect(lines).toHaveLength(1 + 1_203 + 1)
  expect(lines.at(-1)).toBe('')
})

describe('a campaign of somebody else', () => {
  const ROUTES: [string, string][] = [
    ['GET', ''],
    ['GET', '/deliveries'],
    ['GET', '/deliveries?state=failed'],
    ['GET', '/deliveries.csv'],
    ['GET', '/recipients'],
    ...['pause', 'resume', 'cancel', 'retry-failed', 'retry-unconfirmed'].map((name): [string, string] => [
      'POST',
      `/${name}`,
    ]),
  ]
  const ask = (user: SignedIn, method: string, path: string): Promise<Answer> => {
    const url = `/api/email-history/${path}`
    return method === 'GET' ? user.browser.get(url) : user.browser.post(url, {})
  }
  /** What differs from answer to answer by nature. */
  const comparable = ({ status, text, headers: { date: _, ...headers } }: Answer) => ({
    status,
    text,
    headers,
  })

  it.each(ROUTES)('answers %s %s exactly like one that does not exist', async (method, path) => {
    const eve = await aUser(running)
    const foreign = await ask(eve, method, `${id}${path}`)
    const absent = await ask(eve, method, `${randomUUID()}${path}`)
    expect(foreign.status).toBe(404)
    expect(comparable(foreign)).toEqual(comparable(absent))
  })

  it('was not changed by any of it', async () => {
    expect((await deliveries(ann.browser, id, '?state=failed')).length).toBe(1)
  })

  it.each(ROUTES)('%s %s answers 404 to an id that is none', async (method, path) => {
    const ids = [
      'x',
      '1',
      'null',
      '%00',
      '..%2f..',
      "'%20or%201=1--",
      `${id}x`,
      id.toUpperCase().slice(1),
      '%F0%9F%98%80',
    ]
    for (const one of [...ids, 'x'.repeat(300), '00000000-0000-0000-0000-000000000000']) {
      const answer = await ask(ann, method, `${one}${path}`)
      expect(answer.status, one).toBe(404)
      expect(answer.text).toMatch(/^[A-Z].{10,}$/)
    }
  })

  it('needs a session on every route', async () => {
    const nobody = { ...ann, browser: running.browser() }
    for (const [method, path] of ROUTES)
      expect((await ask(nobody, method, `${id}${path}`)).status, path).toBe(401)
  })
})
