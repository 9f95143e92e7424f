import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Suppression } from '../../contract/suppressions.ts'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aWayTo } from '../test/database-way.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { mailIn } from '../test/smtp-conversation.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

const DOMAIN = 'back.example.test'
const relay = await startSmtpSimulator()
const ENV = {
  SMTP_URL: relay.url.href,
  // Which port it is matters only to whoever starts by hand: each test listens on one of its own.
  INBOUND_SMTP_PORT: '2525',
  INBOUND_DOMAIN: DOMAIN,
  ALLOW_PRIVATE_HOSTS: 'localhost',
}

let database: TestDatabase
let running: RunningApp
let port: number
beforeAll(async () => {
  database = await freshDatabase()
  running = await aRunningApp(ENV, { database })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await relay.close()
})

/** The envelope sender that somebody's latest mail left with. */
const returnPathOf = (to: string): string => relay.ledger.findLast((mail) => mail.to.includes(to))?.from ?? ''

async function sent(who: SignedIn, to: string[]): Promise<string> {
  const { id } = await send(who.browser, { recipients: to })
  await finished(who.browser, id)
  return id
}

const suppressed = async (who: SignedIn): Promise<Suppression[]> =>
  (await who.browser.get('/api/suppressions')).json() as Suppression[]

const sample = (name: string): Promise<string> =>
  readFile(new URL(`../bounces/samples/${name}.eml`, import.meta.url), 'utf8')

const softBounce = async (n: number): Promise<string> =>
  (await sample('zimbra')).replace(/^Message-ID: .*$/im, `Message-ID: <soft-${n}@mx.example.test>`)

describe('a campaign by plain SMTP', () => {
  it('leaves with an envelope sender of its own for each recipient', async () => {
    const ann = await aUser(running)
    const to = [anAddress('a'), anAddress('b'), anAddress('c')]
    await sent(ann, to)
    const paths = to.map(returnPathOf)
    for (const path of paths) expect(path).toMatch(/^b-[a-z2-7]{58}@back\.example\.test$/)
    expect(new Set(paths).size).toBe(3)
  })

  it('comes back to us from a relay of one’s own too, but not when it leaves from one’s own address', async () => {
    const ann = await aUser(running)
    const account = { provider: 'smtp', smtpHost: 'localhost', smtpPort: Number(relay.url.port) }
    const sender = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
    const save = (own: boolean) =>
      ann.browser.post('/api/settings', { ...account, ...sender, sendFromOwnAddress: own })
    const [first, second] = [anAddress(), anAddress()]
    expect(await save(false)).toMatchObject({ status: 200 })
    await sent(ann, [first])
    expect(returnPathOf(first)).toMatch(/^b-/)
    expect(await save(true)).toMatchObject({ status: 200 })
    await sent(ann, [second])
    expect(returnPathOf(second)).toBe('ann@corp.test')
  })
})

describe('a report to the return path of a delivery', () => {
  it('marks exactly that delivery as bounced, with words, and suppresses its address', async () => {
    const ann = await aUser(running)
    const [bob, eve] = [anAddress('bob'), anAddress('eve')]
    const id = await sent(ann, [bob, eve])
    // The report names somebody else altogether; whom it concerns is known by where it came.
    const path = returnPathOf(bob).toUpperCase()
    expect(await mailIn(port, [path], await sample('postfix-user-unknown'))).toMatch(/^250 /)
    const [first, second] = await deliveries(ann.browser, id)
    expect(first).toMatchObject({ address: bob, bouncedAt: expect.any(String) })
    expect(first?.reason).toMatch(/^The mailbox does not exist: .*User unknown in virtual mailbox table/)
    expect(second).toMatchObject({ address: eve, bouncedAt: null })
    expect(await detail(ann.browser, id)).toMatchObject({ bouncedCount: 1 })
    expect(await suppressed(ann)).toMatchObject([{ address: bob, reason: 'hard-bounce' }])
  })

  it('counts once however often it comes', async () => {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    const report = await sample('postfix-user-unknown')
    await mailIn(port, [returnPathOf(bob)], report)
    const once = await deliveries(ann.browser, id)
    await mailIn(port, [returnPathOf(bob)], `Received: from elsewhere.test\n${report}`)
    expect(await deliveries(ann.browser, id)).toEqual(once)
    expect(await detail(ann.browser, id)).toMatchObject({ bouncedCount: 1 })
    const kept = await running.db
      .selectFrom('delivery_events')
      .where('campaign_id', '=', id)
      .selectAll()
      .execute()
    expect(kept.map(({ kind }) => kind)).toEqual(['bounced hard'])
  })

  it('can be a complaint', async () => {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    expect(await mailIn(port, [returnPathOf(bob)], await sample('arf-abuse'))).toMatch(/^250 /)
    expect(await deliveries(ann.browser, id)).toMatchObject([
      { complainedAt: expect.any(String), bouncedAt: null },
    ])
    expect(await suppressed(ann)).toMatchObject([{ address: bob, reason: 'complaint' }])
  })

  it('suppresses after five soft bounces in a row, since a relay tells of no delivery that would end the row', async () => {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    for (let n = 1; n <= 5; n += 1) {
      expect(await suppressed(ann)).toEqual([])
      await sent(ann, [bob])
      expect(await mailIn(port, [returnPathOf(bob)], await softBounce(n))).toMatch(/^250 /)
    }
    expect(await suppressed(ann)).toMatchObject([{ address: bob, reason: 'soft-bounces' }])
  })

  async function isNotHeldAgainst(name: string): Promise<void> {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    for (let n = 1; n <= 5; n += 1) {
      await sent(ann, [bob])
      const report = (await sample(name)).replace(/^Message-ID: .*$/im, `Message-ID: <${name}-${n}@x.test>`)
      expect(await mailIn(port, [returnPathOf(bob)], report)).toMatch(/^250 /)
    }
    expect(await suppressed(ann)).toEqual([])
  }

  it.each(['postfix-spam-refused'])(
    'is not held against the mailbox when it is about the mail, its sender or a delay: %s',
    isNotHeldAgainst,
  )

  it.each(['outlook-blocked', 'postfix-delayed'])(
    'is not held against the mailbox when it is about the mail, its sender or a delay: %s',
    { tags: 'thorough' },
    isNotHeldAgainst,
  )

  it('does not suppress an address that passes mail on for somebody behind it who is gone', {
    tags: 'thorough',
  }, async () => {
    const ann = await aUser(running)
    const team = anAddress('team')
    const forwarded = (await sample('postfix-forwarded')).replaceAll('ann.lee@example.com', team)
    const others = forwarded.replace(
      'Final-',
      `Final-Recipient: rfc822; stays@x.test\nAction: relayed\n\nFinal-`,
    )
    for (const [report, words] of [
      [forwarded, /^It was passed on to anna@forward\.example\.com and did not get there: /],
      [others, /^It went on to others behind this address, but did not reach anna@forward\.example\.com: /],
    ] as const) {
      const id = await sent(ann, [team])
      expect(await mailIn(port, [returnPathOf(team)], report)).toMatch(/^250 /)
      const [told] = await deliveries(ann.browser, id)
      expect(told).toMatchObject({ bouncedAt: expect.any(String), reason: expect.stringMatching(words) })
    }
    expect(await suppressed(ann)).toEqual([])
    // The same report about the very address that was written to.
    await sent(ann, [team])
    const own = forwarded.replaceAll('anna@forward.example.com', team.toUpperCase())
    expect(
      await mailIn(port, [returnPathOf(team)], own.replace(/(?<=Original-Recipient: ).*/, 'x@y.test')),
    ).toMatch(/^250 /)
    expect(await suppressed(ann)).toMatchObject([{ address: team, reason: 'hard-bounce' }])
  })

  it('that only warns of a delay is no bounce', async () => {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    await mailIn(port, [returnPathOf(bob)], await sample('postfix-delayed'))
    expect(await deliveries(ann.browser, id)).toMatchObject([{ state: 'accepted', bouncedAt: null }])
  })

  it.each(['no-out-of-office', 'no-ordinary', 'arf-not-spam'])(
    'is taken and changes nothing when it is none: %s',
    async (name) => {
      const ann = await aUser(running)
      const bob = anAddress('bob')
      const id = await sent(ann, [bob])
      const before = await deliveries(ann.browser, id)
      expect(await mailIn(port, [returnPathOf(bob)], await sample(name))).toMatch(/^250 /)
      expect(await deliveries(ann.browser, id)).toEqual(before)
    },
  )

  it('is refused when its address was not made by us, whatever it says', async () => {
    const ann = await aUser(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    const path = returnPathOf(bob)
    const other = path[10] === 'a' ? 'b' : 'a'
    const forged = [
      `${path.slice(0, 10)}${other}${path.slice(11)}`,
      path.replace('b-', 'b'),
      path.replace(DOMAIN, 'example.test'),
      `b-${'a'.repeat(58)}@${DOMAIN}`,
      `mail@${DOMAIN}`,
      bob,
    ]
    for (const address of forged)
      expect(await mailIn(port, [address], await sample('postfix-user-unknown'))).toMatch(/^550 5\.1\.1 /)
    expect(await deliveries(ann.browser, id)).toMatchObject([{ address: bob, bouncedAt: null }])
  })

  it('is put off while the database is away, and taken once it is back', async () => {
    await using way = await aWayTo(inject('postgres').url)
    await using other = await aRunningApp({ ...ENV, ROLES: 'inbound' }, { database, databaseUrl: way.url })
    const otherPort = await other.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await aUser(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    const report = await sample('postfix-user-unknown')
    way.behave('refuse')
    expect(await mailIn(otherPort, [returnPathOf(bob)], report)).toMatch(/^451 4\.3\.0 /)
    expect(await deliveries(ann.browser, id)).toMatchObject([{ bouncedAt: null }])
    way.behave('pass')
    await until('the report is taken', async () =>
      (await mailIn(otherPort, [returnPathOf(bob)], report)).startsWith('250 '),
    )
    expect(await deliveries(ann.browser, id)).toMatchObject([{ bouncedAt: expect.any(String) }])
  })
})
