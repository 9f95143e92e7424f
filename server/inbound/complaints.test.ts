import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Suppression } from '../../contract/suppressions.ts'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { mailIn } from '../test/smtp-conversation.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'

const DOMAIN = 'back.example.test'
const LOOP = `FBL@${DOMAIN}`
const relay = await startSmtpSimulator()

let database: TestDatabase
let running: RunningApp
let port: number
beforeAll(async () => {
  database = await freshDatabase()
  const env = { SMTP_URL: relay.url.href, INBOUND_SMTP_PORT: '2525', INBOUND_DOMAIN: DOMAIN }
  running = await aRunningApp({ ...env, ALLOW_PRIVATE_HOSTS: 'localhost' }, { database })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await relay.close()
})

type Sent = { ann: SignedIn; id: string; bob: string; returnPath: string; unsubscribe: string }

async function sent(): Promise<Sent> {
  const ann = await aUser(running)
  const bob = anAddress('bob')
  const { id } = await send(ann.browser, { recipients: [bob, anAddress('eve')] })
  await finished(ann.browser, id)
  const mail = relay.ledger.findLast(({ to }) => to.includes(bob))
  const unsubscribe = mail?.headers.find(([name]) => name === 'List-Unsubscribe')?.[1] ?? ''
  return { ann, id, bob, returnPath: mail?.from ?? '', unsubscribe }
}

/** What a loop gives back of the mail besides; whom it was written to is blackened, as most do. */
type Given = { mailFrom?: string; returnPath?: string; unsubscribe?: string }

let count = 0
async function report({ mailFrom = '', returnPath = '', unsubscribe = '' }: Given): Promise<string> {
  const text = await readFile(new URL('../bounces/samples/arf-abuse.eml', import.meta.url), 'utf8')
  return text
    .replace(/^Subject: Abuse report$/m, `$&\nMessage-ID: <loop-${++count}@loop.example.com>`)
    .replaceAll('ann.lee@example.com', 'redacted@example.com')
    .replace(/^Original-Mail-From: .*$/m, `Original-Mail-From: <${mailFrom}>`)
    .replace(/^Return-Path: <bounces.*$/m, `Return-Path: <${returnPath}>\nList-Unsubscribe: ${unsubscribe}`)
}

/** One sign of its token is another. */
const broken = (token: string): string => token.replace(/.(?=.{4}[@>])/, (sign) => (sign === 'b' ? 'c' : 'b'))

async function expectNothing({ ann, id }: Sent): Promise<void> {
  for (const delivery of await deliveries(ann.browser, id))
    expect(delivery).toMatchObject({ complainedAt: null, bouncedAt: null })
  expect(await suppressed(ann)).toEqual([])
}

const suppressed = async (who: SignedIn): Promise<Suppression[]> =>
  (await who.browser.get('/api/suppressions')).json() as Suppression[]

describe('the address for feedback loops', () => {
  it.each<[string, (mail: Sent) => Given]>([
    ['the envelope sender', ({ returnPath }) => ({ mailFrom: returnPath })],
    ['the return path of the mail', ({ returnPath }) => ({ returnPath: returnPath.toUpperCase() })],
    ['the link to leave', ({ unsubscribe }) => ({ mailFrom: 'x@y.test', unsubscribe })],
  ])(
    'takes a complaint about the mail that it proves by %s, and suppresses who made it',
    async (_name, given) => {
      const mail = await sent()
      expect(await mailIn(port, [LOOP], await report(given(mail)))).toMatch(/^250 /)
      const [first, second] = await deliveries(mail.ann.browser, mail.id)
      expect(first).toMatchObject({ address: mail.bob, complainedAt: expect.any(String), bouncedAt: null })
      expect(second).toMatchObject({ complainedAt: null })
      expect(await suppressed(mail.ann)).toMatchObject([{ address: mail.bob, reason: 'complaint' }])
    },
  )

  it('counts a report once however often it comes, and to which address', async () => {
    const mail = await sent()
    const text = await report({ mailFrom: mail.returnPath })
    for (const to of [[LOOP], [LOOP], [mail.returnPath], [LOOP, mail.returnPath]])
      expect(await mailIn(port, to, text)).toMatch(/^250 /)
    expect(await detail(mail.ann.browser, mail.id)).toMatchObject({ complainedCount: 1 })
    const events = running.db.selectFrom('delivery_events').where('campaign_id', '=', mail.id).select('kind')
    expect(await events.execute()).toEqual([{ kind: 'complained' }])
  })

  it('takes a report without a token of ours and does nothing', async () => {
    const mail = await sent()
    for (const given of [
      {},
      { mailFrom: broken(mail.returnPath) },
      { returnPath: broken(mail.returnPath), unsubscribe: broken(mail.unsubscribe) },
      { mailFrom: mail.returnPath.replace(DOMAIN, 'other.example.test') },
    ]) {
      const text = await report(given)
      expect(text).not.toContain(mail.returnPath)
      expect(await mailIn(port, [LOOP], text)).toMatch(/^250 /)
    }
    await expectNothing(mail)
  })

  it('takes all other mail and keeps none of it, in nobody’s inbox', async () => {
    const mail = await sent()
    const bounce = `To: ${mail.returnPath}\nReturn-Path: <${mail.returnPath}>\nList-Unsubscribe: ${mail.unsubscribe}\n`
    const praise = (await report({ mailFrom: mail.returnPath })).replace(
      'Feedback-Type: abuse',
      'Feedback-Type: not-spam',
    )
    for (const text of [`${bounce}Subject: hello\n\nThis is spam.`, praise])
      expect(await mailIn(port, [LOOP], text)).toMatch(/^250 /)
    const returned = await readFile(
      new URL('../bounces/samples/postfix-user-unknown.eml', import.meta.url),
      'utf8',
    )
    expect(
      await mailIn(port, [LOOP], returned.replaceAll('bounces+k7@news.example.test', mail.returnPath)),
    ).toMatch(/^250 /)
    await expectNothing(mail)
    expect(await running.db.selectFrom('inbox_messages').select('id').execute()).toEqual([])
    expect(await mailIn(port, [`fbl@other.example.test`], praise)).toMatch(/^550 /)
    expect(await mailIn(port, [`fbl+x@${DOMAIN}`], praise)).toMatch(/^550 /)
  })
})
