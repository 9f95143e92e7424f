import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Suppression } from '../../contract/suppressions.ts'
import type { Transaction } from '../platform/database.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoredCampaign, expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
})

const LIST = '/api/suppressions'
const add = (who: SignedIn, ...addresses: string[]) => who.browser.post(LIST, { addresses })
const list = async (who: SignedIn, query = '') =>
  (await who.browser.get(`${LIST}${query}`)).json() as Suppression[]
const addresses = async (who: SignedIn, query = '') => (await list(who, query)).map(({ address }) => address)

describe('addresses added by hand', () => {
  it('are on the list once, in the spelling of the first, and the answer tells how many are new', async () => {
    const eve = await aUser(running)
    const answer = await add(eve, 'Ann <Ann@Example.test>', 'ann@example.TEST.', 'ben@example.test')
    expect(answer).toMatchObject({ status: 200, text: JSON.stringify({ added: 2, known: 0 }) })
    expect((await add(eve, 'BEN@example.test', 'cem@example.test')).json()).toEqual({ added: 1, known: 1 })
    expect(await addresses(eve)).toEqual(['cem@example.test', 'Ann@Example.test', 'ben@example.test'])
    expect((await list(eve))[0]).toMatchObject({ reason: 'manual', words: null, campaign: null })
  })

  it('are refused all together when one of them is none, and it is named', async () => {
    const eve = await aUser(running)
    const answer = await add(eve, 'good@example.test', 'no address')
    expect(answer).toMatchObject({ status: 400, text: '"no address" is not a valid e-mail address' })
    expect(await list(eve)).toEqual([])
  })

  it('are told apart from each other’s users, and need a session', async () => {
    await add(ann, 'mine@example.test')
    const eve = await aUser(running)
    expect(await addresses(eve)).toEqual([])
    expect(await eve.browser.post(`${LIST}/remove`, { address: 'mine@example.test' })).toMatchObject({
      status: 404,
    })
    expect(await running.browser().get(LIST)).toMatchObject({ status: 401 })
    expect((await addresses(ann)).includes('mine@example.test')).toBe(true)
  })

  it('in a long list are not waited for with others in hand: whoever reports them does so in another order', async () => {
    const eve = await aUser(running)
    const typed = [...recipients(10_000, 'z'), 'a@example.test']
    const suppress = (tx: Transaction, address: string) =>
      sql`insert into suppressions (user_id, address_key, address, reason)
        values (${eve.userId}, ${address}, ${address}, 'u') on conflict do nothing`.execute(tx)
    let adding: ReturnType<typeof add> | undefined
    await running.db.transaction().execute(async (reporting) => {
      await suppress(reporting, 'a@example.test')
      adding = add(eve, ...typed)
      await until('the first of them are on the list', async () => (await list(eve)).length > 0)
      await suppress(reporting, 'z1@example.test')
    })
    expect((await adding)?.json()).toEqual({ added: 10_000, known: 1 })
  })

  it('are all on the list before anybody is taken out of a campaign, which may fail', async () => {
    const { db } = running
    const eve = await aUser(running)
    const queued = await aStoredCampaign(db, 1, eve.userId)
    await db.updateTable('runs').set({ state: 'paused' }).where('campaign_id', '=', queued.id).execute()
    await sql`create function keep_in() returns trigger language plpgsql as
      $$ begin raise 'nobody is left out here'; end $$`.execute(db)
    await sql`create trigger keep_in before update of state on deliveries
      for each row when (new.state = 's') execute function keep_in()`.execute(db)
    onTestFinished(async () => void (await sql`drop trigger keep_in on deliveries`.execute(db)))
    const failed = await add(eve, 'r1@x.test', ...recipients(10_000, 'z'))
    expect(failed.status).toBe(500)
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from suppressions where user_id = ${eve.userId}`.execute(db)
    expect(rows).toEqual([{ n: 10_001 }])
  })

  it('take nothing else with them: unknown fields and too many are refused in words', async () => {
    expect(await ann.browser.post(LIST, { addresses: ['a@x.test'], reason: 'manual' })).toMatchObject({
      status: 400,
    })
    const tooMany = Array.from({ length: 100_001 }, () => 'a@x.test')
    expect(await ann.browser.post(LIST, { addresses: tooMany })).toMatchObject({
      status: 413,
      text: 'One request takes at most 100,000 addresses; please send the rest in another one',
    })
  })
})

describe('removing an address', () => {
  const remove = (who: SignedIn, body: object) => who.browser.post(`${LIST}/remove`, body)
  const ADDRESS = 'Bob@example.test'
  const asManual = { address: 'bob@example.test', reason: 'manual' }

  /** Added by hand, and then of another kind, as when he has used the link in a mail. */
  async function aListWith(letter: string): Promise<SignedIn> {
    const eve = await aUser(running)
    await add(eve, ADDRESS)
    await running.db
      .updateTable('suppressions')
      .set({ reason: letter })
      .where('user_id', '=', eve.userId)
      .execute()
    return eve
  }

  it.each([
    ['u', 'unsubscribed', 'Bob@example.test has unsubscribed'],
    ['c', 'complaint', 'Bob@example.test has reported an email as spam'],
    ['h', 'hard-bounce', 'mail to Bob@example.test came back for good'],
    ['s', 'soft-bounces', 'the last mails to Bob@example.test all came back'],
  ])(
    'whose reason has changed since removes nothing, and says what it is (%s)',
    async (letter, reason, now) => {
      const eve = await aListWith(letter)
      const streak = { user_id: eve.userId, address_key: 'bob@example.test', streak: 2, last_at: new Date() }
      await running.db.insertInto('soft_bounces').values(streak).execute()
      const before = await list(eve)
      expect(before).toMatchObject([{ address: ADDRESS, reason }])
      expect(await remove(eve, asManual)).toMatchObject({
        status: 409,
        text: `The reason has changed since you opened this list: ${now}. Nothing was removed`,
      })
      expect(await list(eve)).toEqual(before)
      const kept = running.db.selectFrom('soft_bounces').selectAll().where('user_id', '=', eve.userId)
      expect(await kept.execute()).toMatchObject([{ streak: 2 }])
      expect(await remove(eve, { address: ADDRESS, reason })).toMatchObject({ status: 200 })
      expect(await list(eve)).toEqual([])
      expect(await kept.execute()).toEqual([])
    },
  )

  it('without naming a reason removes it whatever the reason is', async () => {
    const eve = await aListWith('u')
    expect(await remove(eve, { address: ADDRESS })).toMatchObject({ status: 200 })
    expect(await list(eve)).toEqual([])
  })

  it('that is gone already, or is another user’s, is not found, and theirs stays', async () => {
    const [eve, other] = [await aListWith('m'), await aListWith('m')]
    expect(await remove(eve, asManual)).toMatchObject({ status: 200 })
    expect(await remove(eve, asManual)).toMatchObject({
      status: 404,
      text: 'This address on your list does not exist',
    })
    expect(await addresses(other)).toEqual([ADDRESS])
    expect(await remove(other, { ...asManual, reason: 'other' })).toMatchObject({ status: 400 })
  })
})

describe('the list', () => {
  it('is paged without leaving anybody out, although all came at the same moment', async () => {
    const eve = await aUser(running)
    await add(eve, ...recipients(25, 'page'))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = `?limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`
      const answer = await eve.browser.get(`${LIST}${query}`)
      seen.push(...(answer.json() as Suppression[]).map(({ address }) => address))
      cursor = (answer.headers['x-next-cursor'] as string | undefined) ?? null
    }
    expect(seen.sort()).toEqual(recipients(25, 'page').sort())
    expect(await eve.browser.get(`${LIST}?cursor=nonsense`)).toMatchObject({ status: 400 })
  })

  it('is searched by any part of an address, and by reason', async () => {
    const eve = await aUser(running)
    await add(eve, 'first@one.test', 'second@two.test')
    expect(await addresses(eve, '?q=TWO')).toEqual(['second@two.test'])
    expect(await addresses(eve, '?q=%25')).toEqual([])
    expect(await addresses(eve, '?reason=complaint')).toEqual([])
    expect(await addresses(eve, '?reason=manual')).toHaveLength(2)
    expect(await eve.browser.get(`${LIST}?reason=other`)).toMatchObject({ status: 400 })
  })

  it('is exported whole, and nothing in it is a command to a spreadsheet', async () => {
    const eve = await aUser(running)
    await add(eve, '+cmd|calc@example.test', 'plain@example.test')
    const { text, headers } = await eve.browser.get(`${LIST}.csv`)
    expect(headers['content-disposition']).toBe('attachment; filename="suppressions.csv"')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('address,reason,words,campaign,since')
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
      ' +cmd|calc@example.test,manual',
      'plain@example.test,manual',
      '',
    ])
  })

  it('tells before the send who would be left out, in the words that were typed', async () => {
    const eve = await aUser(running)
    await add(eve, 'gone@example.test')
    const asked = ['Gone Person <GONE@example.test>', 'here@example.test', 'nonsense']
    const answer = await eve.browser.post(`${LIST}/check`, { recipients: asked })
    expect(answer.json()).toEqual({ suppressed: ['Gone Person <GONE@example.test>'] })
  })
})

describe('a send', () => {
  it('leaves out who is on the list, says so by address, and reaches them again once they are removed', async () => {
    const eve = await aUser(running)
    await add(eve, 'Left2@example.test')
    const { id, suppressed } = await send(eve.browser, { recipients: recipients(3, 'left') })
    expect(suppressed).toEqual(['left2@example.test'])
    const { counts, status } = await finished(eve.browser, id)
    expect([status, counts.accepted, counts.suppressed]).toEqual(['sent', 2, 1])
    const [item] = await deliveries(eve.browser, id, '?state=suppressed')
    expect(item).toMatchObject({
      address: 'left2@example.test',
      reason: 'Left out: this address is on your suppression list',
    })
    expect(await running.mails.all('left2@example.test')).toEqual([])
    expect(await eve.browser.post(`${LIST}/remove`, { address: 'left2@example.test' })).toMatchObject({
      status: 200,
    })
    expect((await send(eve.browser, { recipients: ['left2@example.test'] })).suppressed).toEqual([])
  })

  it('whose mail brought somebody onto the list is named there', async () => {
    const eve = await aUser(running)
    const people = ['bounced@resend.dev', 'complained@resend.dev', 'fine@example.test']
    const { id } = await send(eve.browser, { recipients: people, subject: 'The one' })
    await finished(eve.browser, id)
    const found = (await list(eve)).toSorted((one, other) => one.address.localeCompare(other.address))
    expect(found).toMatchObject([
      { address: 'bounced@resend.dev', reason: 'hard-bounce', campaign: { id, subject: 'The one' } },
      { address: 'complained@resend.dev', reason: 'complaint', campaign: { id, subject: 'The one' } },
    ])
  })
})
