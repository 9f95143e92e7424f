import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, type SignedIn, signedIn } from '../test/accounts.ts'
import { admin } from '../test/admin.ts'
import { act, deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { emptyDatabase, freshDatabase } from '../test/database.ts'
import { aMail, anOwner, deliver, INBOX_ENV, received } from '../test/inbox.ts'
import { aGround, ready } from '../test/process.ts'
import { aRunningApp, TEST_KEY } from '../test/running-app.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { somethingSaidToTheBot, waitingForTheBot } from '../test/telegram-waiting.ts'
import { until } from '../test/until.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

const on = (database: { url: string }) => ({ DATABASE_URL: database.url, SECRET_KEY: TEST_KEY })

async function copied(database: { url: string }, copy: { url: string }, name: string): Promise<void> {
  const file = join(folder, name)
  expect(await admin(on(database), ['backup', file])).toMatchObject({ code: 0, err: '' })
  expect(await admin(on(copy), ['restore', file])).toMatchObject({ code: 0, err: '' })
}

const RESTORED = /^This database was restored from a backup/

it('a campaign that was running when the backup was made sends nothing in the copy until it is resumed, and then only the rest', async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  const [vendor, vendorOfCopy] = await Promise.all([startResendSimulator(), startResendSimulator()])
  const by = ({ url, apiKey }: typeof vendor) => ({ RESEND_API_KEY: apiKey, RESEND_BASE_URL: url.href })
  // The first hundred are taken, and the others under way while the backup is made.
  vendor.lieBy((call) => (call === 1 ? null : { kind: 'delay', ms: 60_000 }))
  const original = await aRunningApp(by(vendor), { database })
  const { userId, browser } = await aUser(original)
  const { id } = await send(browser, { recipients: recipients(300) })
  await until('a part is sent', async () => (await detail(browser, id)).counts.accepted === 100)
  await somethingSaidToTheBot(database.db, { userId, id })

  await copied(database, copy, 'running')
  const before = await deliveries(browser, id, '?state=accepted&limit=200')
  expect(before).toHaveLength(100)
  await vendor.close()
  await original[Symbol.asyncDispose]()

  await using running = await aRunningApp(by(vendorOfCopy), { database: copy })
  const again = await signedIn(running, userId)
  expect(await detail(again, id)).toMatchObject({
    state: 'paused',
    pausedReason: expect.stringMatching(RESTORED),
    isRestored: true,
    counts: { accepted: 100, failed: 0 },
  })
  // What is begun in the copy itself goes out; so somebody is at work there, and leaves the other one alone.
  const own = await send(again, { recipients: ['somebody@example.test'] })
  await finished(again, own.id)
  expect(await detail(again, own.id)).toMatchObject({ isRestored: false })
  const taken = () => vendorOfCopy.ledger.flatMap(({ mail }) => mail.to)
  expect(taken()).toEqual(['somebody@example.test'])
  expect(await waitingForTheBot(copy.db)).toEqual({ updates: '0', alerts: '0', cards: '0' })

  expect((await act(again, id, 'resume')).status).toBe(200)
  const { counts } = await finished(again, id, 30_000)
  expect(counts).toMatchObject({ accepted: 300, unknown: 0, failed: 0 })
  const sentBefore = new Set(before.map(({ address }) => address))
  const rest = recipients(300).filter((address) => !sentBefore.has(address))
  expect(taken().slice(1).toSorted()).toEqual(rest.toSorted())
  await expectCountsToAddUp(copy.db)
  await vendorOfCopy.close()
})

it('a campaign that was paused when the backup was made, by hand or by an outage, says in the copy that mail may have been sent since', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  const [vendor, vendorOfCopy] = await Promise.all([startResendSimulator(), startResendSimulator()])
  const by = ({ url, apiKey }: typeof vendor) => ({ RESEND_API_KEY: apiKey, RESEND_BASE_URL: url.href })
  const outage = {
    kind: 'answer',
    status: 401,
    name: 'invalid_api_key',
    message: 'No',
    when: 'before',
  } as const
  vendor.lieBy((call) => (call === 1 ? null : outage))
  const original = await aRunningApp(by(vendor), { database })
  const { userId, browser } = await aUser(original)
  const byHand = await send(browser, { recipients: recipients(200) })
  await until('an outage holds the rest', async () => (await detail(browser, byHand.id)).resumesItself)
  expect((await act(browser, byHand.id, 'pause')).json()).toMatchObject({
    state: 'paused',
    pausedReason: null,
  })
  await until('a part is sent', async () => (await detail(browser, byHand.id)).counts.accepted === 100)
  const byOutage = await send(browser, { recipients: ['held@example.test'] })
  await until('it waits too', async () => (await detail(browser, byOutage.id)).resumesItself)
  await copied(database, copy, 'paused')
  await original[Symbol.asyncDispose]()
  await vendor.close()

  await using running = await aRunningApp(by(vendorOfCopy), { database: copy })
  const again = await signedIn(running, userId)
  // The provider takes mail again, and by that nothing goes on but what is begun here.
  const own = await send(again, { recipients: ['somebody@example.test'] })
  await finished(again, own.id, 40_000)
  expect(vendorOfCopy.ledger.flatMap(({ mail }) => mail.to)).toEqual(['somebody@example.test'])
  for (const { id } of [byHand, byOutage])
    expect(await detail(again, id)).toMatchObject({
      state: 'paused',
      pausedReason: expect.stringMatching(RESTORED),
      resumesItself: false,
    })
  expect((await act(again, byHand.id, 'resume')).status).toBe(200)
  expect((await finished(again, byHand.id)).counts).toMatchObject({ accepted: 200, unknown: 0 })
  expect(vendorOfCopy.ledger).toHaveLength(1 + 100)
  await vendorOfCopy.close()
})

it('mail that waited to be read when the backup was made is read in the copy, though its job was left behind', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  let ann: SignedIn
  {
    await using original = await aRunningApp({ ...INBOX_ENV, ROLES: 'web,inbound' }, { database })
    const port = await original.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const owner = await anOwner(original)
    await deliver(port, owner.address, aMail({ Subject: 'A question' }))
    ann = owner
  }
  // As long ago as anything is that was backed up.
  const received_at = sql<Date>`now() - interval '1 hour'`
  await database.db.updateTable('inbox_messages').set({ received_at }).execute()
  await copied(database, copy, 'waiting')
  await using running = await aRunningApp(INBOX_ENV, { database: copy })
  const again = { browser: await signedIn(running, ann.userId) }
  expect(await received(running, again)).toMatchObject([{ subject: 'A question', preview: 'How are you?' }])
})

it('a new folder is filled before any Postrider has run in it, and one that runs there is looked at beside it', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using ground = await aGround()
  const here = { DATA_DIR: ground.dataDir }
  expect((await admin(on(database), ['create-user', 'ann@example.test'])).code).toBe(0)
  const file = join(folder, 'embedded')
  expect((await admin(on(database), ['backup', file])).code).toBe(0)

  const { code, out, err } = await admin(here, ['restore', file])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`put that of the original to ${ground.dataDir}/secret.key`)
  await ready(await ground.start())
  expect((await admin(here, ['users'])).out).toMatch(/^ann@example.test\t/m)
  const copy = join(folder, 'beside')
  expect((await admin(here, ['backup', copy])).out).toContain(`keep ${ground.dataDir}/secret.key`)
  const sentence = expect.stringMatching(/^[^\n]*already running[^\n]*\n$/i)
  expect(await admin(here, ['reseal'])).toEqual({ code: 1, out: '', err: sentence })
})
