import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { aReceivingUser, arrived, post, stored } from '../test/inbound-webhooks.ts'
import { INBOX_ENV } from '../test/inbox.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { routeCall } from '../test/simulators/mailgun-route.ts'
import { until } from '../test/until.ts'

const KEY = 'key-of-ann-0123456789abcdef'
const HOUR_MS = 3600_000
let way: DatabaseWay
let running: RunningApp
beforeAll(async () => {
  await inOneDay()
  way = await aWayTo(inject('postgres').url)
  running = await aRunningApp(INBOX_ENV, { databaseUrl: way.url })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await way[Symbol.asyncDispose]()
})

const bytesMail = () => arrived(['a@corp.test'])
const anotherMail = () => ({ ...bytesMail(), raw: Buffer.from('Subject: forged\n\n') })
const aMailgunUser = () => aReceivingUser(running, 'mailgun', KEY)

describe('a mail that a route of Mailgun forwards', () => {
  it('may come again, but its token brings no other mail and no other recipient', async () => {
    const ann = await aMailgunUser()
    const proof = { signingKey: KEY, at: Date.now(), token: 'a'.repeat(50) }
    const mail = bytesMail()
    expect(await post(ann.url, routeCall(mail, proof))).toBe(200)
    expect(await post(ann.url, routeCall(mail, proof))).toBe(200)
    expect(await post(ann.url, routeCall(anotherMail(), proof))).toBe(401)
    expect(await post(ann.url, routeCall({ ...mail, to: ['b@corp.test'] }, proof))).toBe(401)
    expect(await stored(running, ann)).toMatchObject([{ raw: mail.raw }])
    // The same token is another one at another address.
    const eve = await aMailgunUser()
    expect(await post(eve.url, routeCall({ ...mail, to: ['b@corp.test'] }, proof))).toBe(200)
  })

  it('that was held off may come again for hours with the same token', async () => {
    const ann = await aMailgunUser()
    await sql`insert into inbox_days (inbox_id, day, messages, bytes)
      select id, floor(extract(epoch from now()) / 86400), 0, 1e12 from inboxes where user_id = ${ann.userId}`.execute(
      running.db,
    )
    const proof = { signingKey: KEY, at: Date.now(), token: 'b'.repeat(50) }
    const mail = bytesMail()
    expect(await post(ann.url, routeCall(mail, proof))).toBe(503)
    await sql`delete from inbox_days`.execute(running.db)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * HOUR_MS })
    try {
      expect(await post(ann.url, routeCall(anotherMail(), proof))).toBe(401)
      expect(await post(ann.url, routeCall(mail, proof))).toBe(200)
      vi.setSystemTime(Date.now() + 2 * HOUR_MS)
      expect(await post(ann.url, routeCall(mail, proof))).toBe(401)
    } finally {
      vi.useRealTimers()
    }
    expect(await stored(running, ann)).toMatchObject([{ raw: mail.raw }])
  })

  it('that met a database which was away is taken hours later, as it was signed first, and no other by its token', async () => {
    const ann = await aMailgunUser()
    const proof = { signingKey: KEY, at: Date.now(), token: 'd'.repeat(50) }
    const mail = bytesMail()
    way.behave('refuse')
    expect(await post(ann.url, routeCall(mail, proof))).toBe(503)
    way.behave('pass')
    await until('the database is back', async () => (await ann.browser.get('/api/settings')).status === 200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * HOUR_MS })
    try {
      expect(await post(ann.url, routeCall(mail, proof))).toBe(200)
      expect(await post(ann.url, routeCall(mail, proof))).toBe(200)
      expect(await post(ann.url, routeCall(anotherMail(), proof))).toBe(401)
    } finally {
      vi.useRealTimers()
    }
    expect(await stored(running, ann)).toMatchObject([{ raw: mail.raw }])
  })
})
