import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { act, deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

/** Whom the relay does not know at the moment. */
const strangers: string[] = []
let relay: SmtpSimulator
let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  relay = await startSmtpSimulator({ unknownRecipients: strangers })
  running = await aRunningApp({ SMTP_URL: relay.url.href })
  ann = await aUser(running)
})
beforeEach(() => void strangers.splice(0))
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
  await relay.close()
})

const reached = (name: string): string[] =>
  relay.ledger
    .flatMap(({ to }) => to)
    .filter((address) => address.startsWith(name))
    .sort()
const drop = (afterAccepting: boolean) => ({ stage: 'dot', does: 'drop', afterAccepting }) as const

it('a campaign that reached nobody has failed; one that reached somebody is sent', async () => {
  strangers.push('none1@example.test', 'none2@example.test', 'some1@example.test')
  const none = await send(ann.browser, { recipients: recipients(2, 'none') })
  expect(await finished(ann.browser, none.id)).toMatchObject({ status: 'failed', state: 'done' })
  const some = await send(ann.browser, { recipients: recipients(2, 'some') })
  expect(await finished(ann.browser, some.id)).toMatchObject({ status: 'sent', successfulCount: 1 })
})

it('a campaign of which nothing is known, or partly, is never called failed', async () => {
  relay.failNext(drop(false))
  strangers.push('doubt2@example.test')
  const { id } = await send(ann.browser, { recipients: recipients(2, 'doubt') })
  const done = await finished(ann.browser, id)
  expect(done).toMatchObject({ status: 'sent', successfulCount: 0, unconfirmedCount: 1 })
  expect(done.counts).toMatchObject({ failed: 1, unknown: 1 })
  const failed = await ann.browser.get('/api/email-history?status=failed&q=doubt')
  expect(failed.json()).toEqual([])
})

it('retrying the failed reaches each of them once and nobody else', async () => {
  strangers.push('fail3@example.test', 'fail7@example.test')
  const { id } = await send(ann.browser, { recipients: recipients(10, 'fail') })
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 8, failed: 2 })
  strangers.splice(0)
  // A double click: one of the two finds nobody left.
  const answers = await Promise.all([1, 2].map(() => act(ann.browser, id, 'retry-failed')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const done = await finished(ann.browser, id)
  expect(done).toMatchObject({ status: 'sent', successfulCount: 10 })
  expect(done.counts).toMatchObject({ accepted: 10, failed: 0 })
  expect(reached('fail')).toEqual(recipients(10, 'fail').sort())
  expect((await deliveries(ann.browser, id)).every(({ reason }) => reason === null)).toBe(true)
})

it('retrying the failed leaves the unconfirmed alone, and the other way round', async () => {
  relay.failNext(drop(false))
  strangers.push('mixed5@example.test')
  const { id } = await send(ann.browser, { recipients: recipients(10, 'mixed') })
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 8, failed: 1, unknown: 1 })
  strangers.splice(0)
  const [doubtful] = await deliveries(ann.browser, id, '?state=unknown')
  expect((await act(ann.browser, id, 'retry-failed')).status).toBe(200)
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 9, failed: 0, unknown: 1 })
  expect(reached('mixed')).not.toContain(doubtful?.address)
  expect((await act(ann.browser, id, 'retry-unconfirmed')).status).toBe(200)
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 10, failed: 0, unknown: 0 })
  expect(reached('mixed')).toEqual(recipients(10, 'mixed').sort())
})

/** One whose mail the relay has taken, although the connection broke before it could say so. */
async function anUnconfirmed(address: string): Promise<string> {
  relay.failNext(drop(true))
  const { id } = await send(ann.browser, { recipients: [address] })
  expect((await finished(ann.browser, id)).counts).toMatchObject({ unknown: 1 })
  expect(reached(address)).toEqual([address])
  return id
}

const NOT_DENIED = { accepted: 0, failed: 0, unknown: 1, suppressed: 0, cancelled: 0 }

it('whoever may have got the mail is never shown as failed, although the relay refuses the second try', async () => {
  const id = await anUnconfirmed('refused@example.test')
  strangers.push('refused@example.test')
  await act(ann.browser, id, 'retry-unconfirmed')
  const done = await finished(ann.browser, id)
  expect(done).toMatchObject({ status: 'sent', unconfirmedCount: 1, counts: NOT_DENIED })
  const [refused] = await deliveries(ann.browser, id)
  expect(refused?.reason).toMatch(/^5\d\d .*; an earlier try may have been taken$/)
  expect((await act(ann.browser, id, 'retry-failed')).status).toBe(409)
  strangers.splice(0)
  await act(ann.browser, id, 'retry-unconfirmed')
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 1, unknown: 0 })
})

it('whoever may have got the mail is never shown as left out, although they leave before the second try', async () => {
  const id = await anUnconfirmed('leaves@example.test')
  relay.failNext({ stage: 'rcpt', does: { code: 450, text: 'Try again later' } })
  await act(ann.browser, id, 'retry-unconfirmed')
  await until('it waits for its next try', async () => {
    const [waits] = await deliveries(ann.browser, id)
    return waits?.state === 'queued' && waits.reason !== null
  })
  await ann.browser.post('/api/suppressions', { addresses: ['leaves@example.test'] })
  expect((await finished(ann.browser, id)).counts).toMatchObject(NOT_DENIED)
  const [left] = await deliveries(ann.browser, id)
  expect(left?.reason).toBe(
    'Left out: this address is on your suppression list; an earlier try may have been taken',
  )
  expect(reached('leaves')).toHaveLength(1)
})

it('whoever is unconfirmed and on the suppression list is passed over, and alone there is nobody to send it to', async () => {
  relay.failNext(drop(true), drop(true))
  const { id } = await send(ann.browser, { recipients: recipients(2, 'listed') })
  expect((await finished(ann.browser, id)).counts).toMatchObject({ unknown: 2 })
  await ann.browser.post('/api/suppressions', { addresses: ['listed1@example.test'] })
  const [before] = await deliveries(ann.browser, id, '?q=listed1')
  expect((await act(ann.browser, id, 'retry-unconfirmed')).status).toBe(200)
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 1, unknown: 1, suppressed: 0 })
  expect(reached('listed')).toEqual(
    ['listed1', 'listed2', 'listed2'].map((name) => `${name}@example.test`).sort(),
  )
  expect(await deliveries(ann.browser, id, '?q=listed1')).toEqual([before])

  const refused = await act(ann.browser, id, 'retry-unconfirmed')
  expect(refused.status).toBe(409)
  expect(refused.text).toBe(
    'Everybody who is still unconfirmed in this campaign is on your suppression list, and is not sent it again',
  )
  expect((await detail(ann.browser, id)).state).toBe('done')
})

it('nobody is sent it again who has become unconfirmed since the user was shown who is', async () => {
  relay.failNext(drop(true))
  strangers.push('joins2@example.test')
  const { id } = await send(ann.browser, { recipients: recipients(2, 'joins') })
  const { round, counts } = await finished(ann.browser, id)
  expect(counts).toMatchObject({ failed: 1, unknown: 1 })
  strangers.splice(0)
  relay.failNext(drop(true))
  await act(ann.browser, id, 'retry-failed')
  const now = await finished(ann.browser, id)
  expect(now.counts).toMatchObject({ failed: 0, unknown: 2 })

  const refused = await act(ann.browser, id, 'retry-unconfirmed', { shown: { round, counts } })
  expect([refused.status, refused.text]).toEqual([
    409,
    'Who is unconfirmed in this campaign has changed since you were shown them, so nobody was sent it again. Please look once more',
  ])
  expect(await detail(ann.browser, id)).toEqual(now)
  const shown = { round: now.round, counts: now.counts }
  expect((await act(ann.browser, id, 'retry-unconfirmed', { shown })).status).toBe(200)
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 2, unknown: 0 })
  expect(reached('joins')).toEqual(
    ['joins1', 'joins1', 'joins2', 'joins2'].map((name) => `${name}@example.test`),
  )
})

it('a retry keeps the Message-ID, so that a mailbox can tell a second copy', async () => {
  relay.failNext(drop(true))
  const { id } = await send(ann.browser, { recipients: ['copy@example.test'] })
  await finished(ann.browser, id)
  await act(ann.browser, id, 'retry-unconfirmed')
  await finished(ann.browser, id)
  const ids = relay.ledger
    .filter(({ to }) => to.includes('copy@example.test'))
    .map(({ headers }) => headers.find(([name]) => name === 'Message-ID')?.[1])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})
