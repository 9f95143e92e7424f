import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { TOKEN_PURPOSES } from '../delivery/tokens.ts'
import { signingKeyOf } from '../platform/secrets.ts'
import { anAddress, aUser, signedIn } from '../test/accounts.ts'
import { admin } from '../test/admin.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { dumpOf, escaped } from '../test/canaries.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../test/database.ts'
import { allRead, aMail, deliver, INBOX_ENV } from '../test/inbox.ts'
import { aGround, START_MS } from '../test/process.ts'
import { inboxAddress } from '../test/replies.ts'
import { aRunningApp, TEST_KEY } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { mailIn } from '../test/smtp-conversation.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { oneClick } from '../test/tracked-mails.ts'
import { until } from '../test/until.ts'

const relay = await startSmtpSimulator()
const folder = await mkdtemp(join(tmpdir(), 'postrider-reseal-'))
afterAll(async () => {
  await relay.close()
  await rm(folder, { recursive: true })
})

const ENV = { ...INBOX_ENV, SMTP_URL: relay.url.href }
const KEYS = [TEST_KEY, `${TEST_KEY}, and newer`, `${TEST_KEY}, and the newest`] as const
const [FIRST, SECOND, THIRD] = KEYS

type Mailed = { id: string; leave: string; returnPath: string; replyTo: string }

/** A campaign to three people, and by what each of them could answer it. */
async function mailed(database: TestDatabase, masterKey: string, userId: string): Promise<Mailed> {
  await using running = await aRunningApp(ENV, { database, masterKey })
  const browser = await signedIn(running, userId)
  const people = ['leaver', 'gone', 'friend'].map(anAddress)
  const { id } = await send(browser, { recipients: people, replyTo: await inboxAddress(browser) })
  await finished(browser, id)
  const mailTo = (person: number) => relay.ledger.find(({ to }) => to.includes(people[person] ?? ''))
  const header = (person: number, name: string) =>
    mailTo(person)?.headers.find(([one]) => one === name)?.[1] ?? ''
  const leave = new URL(header(0, 'List-Unsubscribe').slice(1, -1)).pathname
  return { id, leave, returnPath: mailTo(1)?.from ?? '', replyTo: header(2, 'Reply-To') }
}

async function replaceKey(database: TestDatabase, [from, to]: [string, string]): Promise<void> {
  const env = { DATABASE_URL: database.url, SECRET_KEY: from, NEW_SECRET_KEY: to }
  expect(await admin(env, ['reseal'])).toMatchObject({ code: 0, err: '' })
}

/** One leaves by the link, one mail comes back, one is answered. */
async function expectAllHeard(
  database: TestDatabase,
  masterKey: string,
  userId: string,
  mails: Mailed[],
): Promise<void> {
  await using running = await aRunningApp(ENV, { database, masterKey })
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const browser = await signedIn(running, userId)
  const report = await readFile(
    new URL('../bounces/samples/postfix-user-unknown.eml', import.meta.url),
    'utf8',
  )
  for (const { id, leave, returnPath, replyTo } of mails) {
    expect((await oneClick(running, leave)).status).toBe(200)
    expect(await mailIn(port, [returnPath], report)).toMatch(/^250 /)
    await deliver(port, replyTo, aMail({ Subject: `Re ${id}` }))
    await allRead(running)
    const bounced = (await deliveries(browser, id)).map(({ bouncedAt }) => bouncedAt !== null)
    expect(bounced).toEqual([false, true, false])
    expect(await detail(browser, id)).toMatchObject({ unsubscribedCount: 1, replies: { all: 1 } })
  }
  await expectCountsToAddUp(database.db)
}

it('whoever was mailed under a former key can still leave, bounce and answer, in a restored copy too', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  let userId: string
  {
    await using running = await aRunningApp(ENV, { database })
    userId = (await aUser(running)).userId
  }
  const first = await mailed(database, FIRST, userId)
  await replaceKey(database, [FIRST, SECOND])
  const second = await mailed(database, SECOND, userId)
  await replaceKey(database, [SECOND, THIRD])
  const third = await mailed(database, THIRD, userId)

  const file = join(folder, 'backup')
  const on = ({ url }: TestDatabase) => ({ DATABASE_URL: url, SECRET_KEY: THIRD })
  expect(await admin(on(database), ['backup', file])).toMatchObject({ code: 0, err: '' })
  expect(await admin(on(copy), ['restore', file])).toMatchObject({ code: 0, err: '' })
  for (const one of [database, copy]) await expectAllHeard(one, THIRD, userId, [first, second, third])

  const formerKeys = KEYS.flatMap((key) =>
    TOKEN_PURPOSES.map((purpose) => signingKeyOf(key, purpose).key.toString('base64url')),
  )
  const secrets = [...KEYS, ...formerKeys].map((value, at) => ({ name: `secret ${at}`, value }))
  expect(escaped(secrets, await dumpOf(database.db))).toEqual([])
})

it('a key is not replaced by itself, nor twice from the same one', { tags: 'thorough' }, async () => {
  await using database = await freshDatabase()
  const { db, url } = database
  const env = { DATABASE_URL: url, SECRET_KEY: FIRST, NEW_SECRET_KEY: FIRST }
  const kept = () => db.selectFrom('former_token_keys').selectAll().orderBy('id').execute()
  expect(await admin(env, ['reseal'])).toEqual({
    code: 1,
    out: '',
    err: 'NEW_SECRET_KEY is the key in use; make another one with: openssl rand -base64 32\n',
  })
  expect(await kept()).toEqual([])
  await replaceKey(database, [FIRST, SECOND])
  const before = await kept()
  expect(before.map(({ purpose }) => purpose).toSorted()).toEqual([...TOKEN_PURPOSES])
  // Nobody keeps credentials here: only the former keys tell that this has been done.
  expect(await admin({ ...env, NEW_SECRET_KEY: THIRD }, ['reseal'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/nothing was changed/),
  })
  expect(await kept()).toEqual(before)
})

it.each(['web', 'inbound', 'telegram', 'worker'])(
  'no key is replaced beside a process that only does %s',
  { tags: 'thorough' },
  async (role) => {
    await using database = await freshDatabase()
    await using ground = await aGround()
    const shared = { DATABASE_URL: database.url, SECRET_KEY: FIRST }
    const running = await ground.start({ ...shared, ROLES: role })
    await until('it is ready', async () => running.output().includes('is ready'), START_MS)
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'postrider jobs'`.execute(database.db)
    expect(rows.length, 'jobs need a line now and then only').toBeGreaterThan(0)
    expect(await admin({ ...shared, NEW_SECRET_KEY: SECOND }, ['reseal'])).toEqual({
      code: 1,
      out: '',
      err: 'A Postrider runs on this database; stop every one of its processes first\n',
    })
    expect(await running.end('SIGTERM')).toBe(0)
    await replaceKey(database, [FIRST, SECOND])
  },
)

it('no key is replaced or accepted beside a process whose DATABASE_URL names its connections otherwise', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using ground = await aGround()
  const named = new URL(database.url)
  named.searchParams.set('application_name', 'mail.example.com')
  const shared = { DATABASE_URL: named.href, SECRET_KEY: FIRST }
  const running = await ground.start({ ...shared, ROLES: 'worker' })
  await until('it is ready', async () => running.output().includes('is ready'), START_MS)
  for (const command of ['reseal', 'accept-key'])
    expect(await admin({ ...shared, NEW_SECRET_KEY: SECOND }, [command])).toEqual({
      code: 1,
      out: '',
      err: 'A Postrider runs on this database; stop every one of its processes first\n',
    })
  expect(await running.end('SIGTERM')).toBe(0)
})

it('says what stays valid, what does not, and where to keep the new key', async () => {
  await using database = await freshDatabase()
  const env = { DATABASE_URL: database.url, SECRET_KEY: FIRST, NEW_SECRET_KEY: SECOND }
  expect((await admin(env, ['reseal'])).out).toBe(
    [
      'The credentials of 0 users are sealed under the new key.',
      'Links, return paths and reply addresses in mails that were sent before stay valid.',
      'Codes of sign-ups that wait to be confirmed do not: whoever needs one asks for another.',
      'Now start Postrider with SECRET_KEY set to it, and keep it in another place than the backups.',
      'Backups that were made before need the former key.',
      '',
    ].join('\n'),
  )
})
