import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxSummary } from '../../contract/inbox.ts'
import { arrived, originOf, post, stored } from '../test/inbound-webhooks.ts'
import { anOwner, INBOX_ENV, type Owner } from '../test/inbox.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import type { Call } from '../test/simulators/brought-mail.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'

let resend: ResendSimulator
let running: RunningApp
let webhook: URL
beforeAll(async () => {
  await inOneDay()
  resend = await startResendSimulator()
  running = await aRunningApp({
    ...INBOX_ENV,
    RESEND_API_KEY: resend.apiKey,
    RESEND_BASE_URL: resend.url.href,
    RESEND_WEBHOOK_SECRET: resend.receiving.secret,
    ALLOW_PRIVATE_HOSTS: 'localhost',
  })
  webhook = new URL('/api/inbound/resend/product', await originOf(running))
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await resend.close()
})

const missed = async ({ browser }: Owner): Promise<InboxSummary['missed']> =>
  ((await browser.get('/api/inbox/summary')).json() as InboxSummary).missed

const passTime = () =>
  sql`update inbox_unfetched set first_at = first_at - interval '5 minutes'`.execute(running.db)

/** Resend tells of it again after seconds, and after five minutes. */
async function askInVain(call: Call, ...faults: Parameters<ResendSimulator['receiving']['failNext']>) {
  resend.receiving.failNext(...faults)
  for (const [index] of faults.entries()) {
    if (index === faults.length - 1) await passTime()
    expect(await post(webhook, call)).toBe(502)
  }
}
const refusals = (status: number) => Array.from({ length: 3 }, () => ({ at: 'question' as const, status }))

describe('a mail that Resend tells of and does not hand over', () => {
  it.each([
    ['refused for good', refusals(403)],
    ['unknown to Resend', refusals(404)],
    ['not to be had for hours', refusals(503)],
    [
      'not where it should lie',
      [
        { at: 'download', status: 404 },
        { at: 'download', status: 403 },
      ] as const,
    ],
  ])('%s is told of to each owner, once, until it comes', async (_, faults) => {
    const [ann, eve, other] = [await anOwner(running), await anOwner(running), await anOwner(running)]
    const mail = arrived([ann.address, eve.address, ann.address.toUpperCase()])
    const call = resend.receiving.notice(mail)
    await askInVain(call, ...faults)
    for (const owner of [ann, eve]) {
      const since = expect.any(String)
      expect(await missed(owner)).toEqual([{ reason: 'not-fetched', firstAt: since, lastAt: since }])
    }
    expect(await missed(other)).toEqual([])

    expect(await post(webhook, call)).toBe(200)
    for (const owner of [ann, eve]) {
      expect(await stored(running, owner)).toMatchObject([{ raw: mail.raw }])
      expect(await missed(owner)).toEqual([])
    }
  })

  it('at first is not told of while it may come within minutes', async () => {
    const ann = await anOwner(running)
    const call = resend.receiving.notice(arrived([ann.address]))
    resend.receiving.failNext({ at: 'question', status: 429 }, { at: 'question', status: 503 })
    for (const answer of [502, 502]) {
      expect(await post(webhook, call)).toBe(answer)
      expect(await missed(ann)).toEqual([])
    }
    expect(await post(webhook, call)).toBe(200)
    await passTime()
    expect(await missed(ann)).toEqual([])
  })

  it('stays told of when another one comes', async () => {
    const ann = await anOwner(running)
    const tell = (subject: string) => resend.receiving.notice(arrived([ann.address], { Subject: subject }))
    const [lost, late] = [tell('Lost'), tell('Late')]
    await askInVain(lost, ...refusals(403))
    await askInVain(late, ...refusals(403))
    expect(await post(webhook, late)).toBe(200)
    expect(await missed(ann)).toMatchObject([{ reason: 'not-fetched' }])
  })

  it('is no longer told of where it came, though it found no room elsewhere', async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const call = resend.receiving.notice(arrived([ann.address, eve.address]))
    await askInVain(call, ...refusals(403))
    await sql`insert into inbox_days (inbox_id, day, messages, bytes)
      select id, floor(extract(epoch from now()) / 86400), 0, 1000000000 from inboxes
      where user_id = ${ann.userId}`.execute(running.db)
    expect(await post(webhook, call)).toBe(503)
    expect(await stored(running, eve)).toHaveLength(1)
    expect(await missed(eve)).toEqual([])
    expect(await missed(ann)).toMatchObject([{ reason: 'daily-limit' }])
  })

  it('since the answer about it is larger than 25 MB is told of as too large, and not asked for again', {
    tags: 'thorough',
  }, async () => {
    const ann = await anOwner(running)
    resend.receiving.onlyInPieces({
      headers: {},
      text: 'x'.repeat(25_000_000),
      html: null,
      attachments: [],
    })
    try {
      expect(await post(webhook, resend.receiving.notice(arrived([ann.address])))).toBe(200)
    } finally {
      resend.receiving.onlyInPieces(null)
    }
    expect(await stored(running, ann)).toEqual([])
    expect(await missed(ann)).toMatchObject([{ reason: 'too-large' }])
  })
})
