import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { detail, finished, recipients, send } from '../test/campaigns.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { suppress } from '../test/telegram-letters.ts'

let relay: SmtpSimulator
let app: TelegramApp
beforeAll(async () => {
  relay = await startSmtpSimulator()
  app = await anAppWithBot({ SMTP_URL: relay.url.href })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await relay.close()
})

const mailed = (name: string): number =>
  relay.ledger.flatMap(({ to }) => to).filter((address) => address.startsWith(name)).length

/** A campaign that has ended, all of it accepted. */
async function aCampaign({ user }: LinkedChat, name: string, count: number): Promise<string> {
  const { id } = await send(user.browser, { subject: name, recipients: recipients(count, name) })
  await finished(user.browser, id)
  return id
}

/** So many of those who were accepted are unconfirmed, as after a call without an answer. */
async function loseAnswers(id: string, count: number): Promise<void> {
  await sql`
    with lost as (
      update deliveries set state = 'u' where campaign_id = ${id} and seq in (
        select seq from deliveries where campaign_id = ${id} and state = 'a' order by seq limit ${count})
      returning seq)
    update runs set accepted = accepted - ${count}, unknown = unknown + (select count(*) from lost)
    where campaign_id = ${id}`.execute(app.running.db)
}

/** One waits for a later try, so that the campaign is under way. */
async function goOn(id: string): Promise<void> {
  await sql`
    with waits as (
      update deliveries set state = 'q', next_try_at = now() + interval '1 day' where campaign_id = ${id} and seq = (
        select max(seq) from deliveries where campaign_id = ${id} and state = 'a')
      returning seq)
    update runs set accepted = accepted - 1, queued = queued + (select count(*) from waits), is_open = true
    where campaign_id = ${id}`.execute(app.running.db)
}

async function question({ person }: LinkedChat, subject: string): Promise<Seen> {
  await person.says('/campaigns')
  await person.presses(subject, await person.hears(subject))
  const card = await person.hears(/recipients?\n/)
  await person.presses(/^⬜ Unconfirmed/, card)
  await person.presses('Resend to unconfirmed', card)
  return person.hears(/^Resend/)
}

it('nobody is sent it again who was not counted in the question', async () => {
  const ann = await aLinkedChat(app)
  const { user, person } = ann
  const id = await aCampaign(ann, 'count', 20)
  await loseAnswers(id, 5)
  const asked = await question(ann, 'count')
  await loseAnswers(id, 7)
  expect(await person.presses('Resend to 5', asked)).toMatch(/changed.*nobody was sent it again/)
  const anew = await person.hears(/Some of these 12 recipients may get this email twice/)
  expect(anew.id).toBe(asked.id)
  await app.running.settled()
  expect(mailed('count')).toBe(20)
  expect((await detail(user.browser, id)).counts.unknown).toBe(12)

  expect(await person.presses('Resend to 12', anew)).toBe('They are being sent it again')
  await finished(user.browser, id)
  expect(mailed('count')).toBe(32)
})

it('while a campaign is sending its unconfirmed are not sent it again, and the question is asked anew', {
  tags: 'thorough',
}, async () => {
  const ann = await aLinkedChat(app)
  const { user, person } = ann
  const id = await aCampaign(ann, 'moves', 10)
  await loseAnswers(id, 5)
  const asked = await question(ann, 'moves')
  await goOn(id)
  expect((await detail(user.browser, id)).state).toBe('sending')
  expect(await person.presses('Resend to 5', asked)).toMatch(/still being sent.*nobody was sent it again yet/)
  expect(person.messages().find(({ id }) => id === asked.id)?.text).toBe(asked.text)
  expect((await detail(user.browser, id)).counts).toMatchObject({ unknown: 5, queued: 1 })
  expect(mailed('moves')).toBe(10)
})

it('nobody is sent it again who took the place of somebody whom the question named', async () => {
  const ann = await aLinkedChat(app)
  const id = await aCampaign(ann, 'swapped', 3)
  await loseAnswers(id, 1)
  const asked = await question(ann, 'swapped')
  const become = (state: 'a' | 'u', was: 'a' | 'u') =>
    sql`update deliveries set state = ${state} where ctid = (
      select ctid from deliveries where campaign_id = ${id} and state = ${was} limit 1)`.execute(
      app.running.db,
    )
  await become('a', 'u')
  await become('u', 'a')
  // As if that one had still been waiting.
  await sql`update runs set accepted = accepted + 1, queued = 0 where campaign_id = ${id}`.execute(
    app.running.db,
  )
  expect(await ann.person.presses('Resend to 1', asked)).toMatch(/has changed since this was asked/)
  await app.running.settled()
  expect(mailed('swapped')).toBe(3)
})

it('a button of an older version, which tells no count, asks first', { tags: 'thorough' }, async () => {
  const ann = await aLinkedChat(app)
  const id = await aCampaign(ann, 'older', 3)
  await loseAnswers(id, 2)
  const asked = await question(ann, 'older')
  expect(await ann.person.pressesForged(asked.id, `card/${id}/resend/1`)).toMatch(/nobody was sent it again/)
  await app.running.settled()
  expect(mailed('older')).toBe(3)
})

it('whoever presses twice hears that it was sent again, also where somebody is unconfirmed still', {
  tags: 'thorough',
}, async () => {
  const ann = await aLinkedChat(app)
  const { user, person } = ann
  const id = await aCampaign(ann, 'twice', 3)
  await loseAnswers(id, 2)
  const asked = await question(ann, 'twice')
  expect(asked.text).toContain('Whoever is on your suppression list is left out.')
  await suppress(user, 'twice1@example.test')
  expect(await person.presses('Resend to 2', asked)).toBe('They are being sent it again')
  await finished(user.browser, id)
  expect(await person.pressesForged(asked.id, `card/${id}/resend/1/2`)).toBe(
    'This campaign was sent again since this was asked. 1 recipient is unconfirmed as of now: please look once more',
  )
  expect(mailed('twice')).toBe(4)

  await person.presses(/^⬜ Unconfirmed/, asked)
  await person.presses('Resend to unconfirmed', asked)
  expect(await person.presses('Resend to 1', asked)).toMatch(
    /Everybody who is still unconfirmed .* suppression list/,
  )
  await app.running.settled()
  expect(mailed('twice')).toBe(4)
})
