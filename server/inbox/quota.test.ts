import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxSummary } from '../../contract/inbox.ts'
import { createLog } from '../platform/log.ts'
import { aReceivingUser, arrived, post, stored } from '../test/inbound-webhooks.ts'
import { aMail, anOwner, deliver, INBOX_ENV, type Owner, received } from '../test/inbox.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
import { parseForm, signedParse } from '../test/simulators/sendgrid-parse.ts'
import { aConversation, mailIn as mailFrom } from '../test/smtp-conversation.ts'
import { createQuota } from './quota.ts'

const MB = 1_000_000
let running: RunningApp
let port: number
beforeAll(async () => {
  await inOneDay()
  running = await aRunningApp({ ...INBOX_ENV, INBOX_DAILY_MESSAGES: '3', INBOX_DAILY_MB: '50' })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

const mailIn = (to: string, raw: string): Promise<string> => mailFrom(port, [to], raw, 'bob@example.com')

const missed = async ({ browser }: Pick<Owner, 'browser'>): Promise<string[]> =>
  ((await browser.get('/api/inbox/summary')).json() as InboxSummary).missed.map(({ reason }) => reason)

/** As if so much had come today already. */
const fill = ({ userId }: Owner, megabytes: number) =>
  sql`insert into inbox_days (inbox_id, day, messages, bytes)
    select id, floor(extract(epoch from now()) / 86400), 0, ${megabytes * MB} from inboxes where user_id = ${userId}
    on conflict (inbox_id, day) do update set bytes = excluded.bytes`.execute(running.db)

const dayPasses = () => sql`update inbox_days set day = day - 1`.execute(running.db)

describe('an inbox', () => {
  it('takes as many messages as it may on a day, holds off the next ones in words, and tells its owner', async () => {
    const [ann, bob] = [await anOwner(running), await anOwner(running)]
    for (let n = 0; n < 3; n += 1) await deliver(port, ann.address, aMail())
    expect(await missed(ann)).toEqual([])
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<bob@example.com>')
    expect(await line.say(`RCPT TO:<${ann.address}>`)).toMatch(
      /^452 \S+ This inbox has taken as much mail as it may today, please try again later$/,
    )
    expect(await line.say(`RCPT TO:<${bob.address}>`)).toMatch(/^250 /)
    expect(await missed(ann)).toEqual(['daily-limit'])
    expect(await missed(bob)).toEqual([])
    await dayPasses()
    await deliver(port, ann.address, aMail())
    expect(await received(running, ann)).toHaveLength(4)
  })

  it('takes no more megabytes than it may, whole mails only, and again what it has', async () => {
    const ann = await anOwner(running)
    const known = aMail({ Subject: 'Known' }, 'x'.repeat(200_000))
    await deliver(port, ann.address, known)
    await fill(ann, 49.9)
    expect(await mailIn(ann.address, aMail({}, 'x'.repeat(200_000)))).toMatch(/^452 /)
    expect(await mailIn(ann.address, known)).toMatch(/^250 /)
    expect(await mailIn(ann.address, aMail({ Subject: 'Small' }))).toMatch(/^250 /)
    expect((await received(running, ann)).map(({ subject }) => subject)).toEqual(['Small', 'Known'])
    expect(await missed(ann)).toEqual(['daily-limit'])
  })

  it('takes no more than it may from many who come at once', async () => {
    const ann = await anOwner(running)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => mailIn(ann.address, aMail()).catch(() => '452 ')),
    )
    expect(answers.filter((answer) => answer.startsWith('250 '))).toHaveLength(3)
    expect(await received(running, ann)).toHaveLength(3)
  })

  it('answers a provider that there is no room yet, and takes the mail when it is brought again', async () => {
    const signer = createSigner()
    const ann = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    await fill(ann, 50)
    const call = () => signedParse(parseForm(arrived([ann.address], { Subject: 'Later' })), signer)
    expect(await post(ann.url, call())).toBe(503)
    expect(await stored(running, ann)).toEqual([])
    expect(await missed(ann)).toEqual(['daily-limit'])
    await dayPasses()
    expect(await post(ann.url, call())).toBe(200)
    expect(await stored(running, ann)).toHaveLength(1)
  })
})

it('all inboxes hold off while the disk is nearly full', async () => {
  await using full = await aRunningApp({ ...INBOX_ENV, DATA_DIR: tmpdir(), INBOX_FREE_MB: '999999999' })
  const ann = await anOwner(full)
  const at = await full.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  await using line = await aConversation(at)
  await line.reply()
  await line.say('EHLO mx.example.test')
  await line.say('MAIL FROM:<bob@example.com>')
  expect(await line.say(`RCPT TO:<${ann.address}>`)).toMatch(/^452 \S+ There is no room for more mail/)
  expect(await missed(ann)).toEqual(['no-room'])
})

it('a missed mail that could not be noted is noted when it is missed again, by all who came meanwhile too', async () => {
  const ann = await anOwner(running)
  const { id } = await running.db
    .selectFrom('inboxes')
    .select('id')
    .where('user_id', '=', ann.userId)
    .executeTakeFirstOrThrow()
  const limits = { daily: { messages: 0, bytes: 0 }, free: null }
  const quota = createQuota({ db: running.db, limits, log: createLog('silent') })
  const note = () => quota.note(id, 'too-large')
  await sql`alter table inbox_missed rename to inbox_missed_away`.execute(running.db)
  const noted = await Promise.allSettled([note(), note()]).finally(() =>
    sql`alter table inbox_missed_away rename to inbox_missed`.execute(running.db),
  )
  expect(noted.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await Promise.all([note(), note()])
  expect(await missed(ann)).toEqual(['too-large'])
})
