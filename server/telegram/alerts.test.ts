import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { act, finished, recipients, send } from '../test/campaigns.ts'
import { aMail, INBOX_ENV, list, pathOf, write } from '../test/inbox.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { arrive as toInbox, waiting } from '../test/telegram-alerts.ts'
import { until } from '../test/until.ts'

/** Whom the relay does not know at the moment. */
const strangers: string[] = []
let relay: SmtpSimulator
let app: TelegramApp
let port: number
beforeAll(async () => {
  relay = await startSmtpSimulator({ unknownRecipients: strangers })
  app = await anAppWithBot({ ...INBOX_ENV, SMTP_URL: relay.url.href })
  port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await relay.close()
})

const told = (options: { firstName?: string; timeZone?: string } = {}) =>
  aLinkedChat(app, { isTold: true, ...options })

const arrive = (chat: LinkedChat, ...mails: string[]) => toInbox(app.running, port, chat, ...mails)

/** What the bot has said since the link. */
const said = ({ person }: LinkedChat): Seen[] =>
  person
    .messages()
    .filter(({ isFromBot }) => isFromBot)
    .slice(1)

/** Everything that was found has been told, or needs no telling. */
const allTold = (chat: LinkedChat): Promise<void> => waiting(app.running, chat, 0)

const change = ({ user }: LinkedChat, columns: Record<string, unknown>) =>
  app.running.db.updateTable('telegram_links').set(columns).where('user_id', '=', user.userId).execute()

const sendTo = (chat: LinkedChat, subject: string, addresses: string[]): Promise<{ id: string }> =>
  send(chat.user.browser, { subject, recipients: addresses })

const setRun = (id: string, columns: Record<string, unknown>) =>
  app.running.db.updateTable('runs').set(columns).where('campaign_id', '=', id).execute()

/** As the engine says it when something has become of a campaign. */
async function look({ user }: LinkedChat, id: string): Promise<void> {
  const notice = JSON.stringify({ userId: user.userId, kind: 'campaign', id })
  await sql`select pg_notify('postrider_notices', ${notice})`.execute(app.running.db)
}

it('the end of a campaign is told with counts that add up, after each round anew, and a mail to one only if it failed', async () => {
  const old = await aLinkedChat(app)
  await change(old, { linked_at: sql`now() + interval '1 hour'`, tells_finished: true })
  await sendTo(old, 'Before the link', recipients(3, 'before'))

  const ann = await told()
  strangers.push('end2@example.test', 'single@example.test')
  await sendTo(ann, 'To one', ['fine@example.test'])
  const { id } = await sendTo(ann, 'Spring & <b>', recipients(12, 'end'))
  const first = await ann.person.hears('Spring & <b>')
  expect(first.text).toBe(
    [
      '🟩 Finished: Spring & <b>',
      '',
      '🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩🟥',
      '12 recipients',
      '🟩 11 accepted',
      '🟥 1 failed',
    ].join('\n'),
  )
  expect(first.buttons).toEqual([['Show campaign']])
  await act(ann.user.browser, id, 'retry-failed')
  await until('the second round is told', async () => said(ann).length === 2)
  expect(said(ann).at(-1)?.text).toContain('🟥 1 failed')
  await sendTo(ann, 'To one stranger', ['single@example.test'])
  await ann.person.hears('🟥 Finished: nobody was sent it: To one stranger')

  // A reply is told of only where it failed, and not twice where it failed before one's eyes.
  await arrive(ann, aMail({ From: 'single@example.test', Subject: 'Hm' }))
  await ann.person.repliesTo(await ann.person.hears('New mail from single@example.test'), 'Well')
  await ann.person.hears('🟥 The reply to single@example.test was refused: 550')
  strangers.splice(0)
  await app.running.settled()
  await allTold(ann)
  expect(said(ann)).toHaveLength(5)
  await ann.person.presses('Show campaign', first)
  await ann.person.hears(/Finished · .*\n\n/)
  expect(said(old)).toEqual([])
})

it('a new mail is told with its beginning and answered there; what was read, or a machine wrote, is not', async () => {
  const ann = await told()
  await arrive(
    ann,
    aMail({ 'Auto-Submitted': 'auto-replied' }),
    aMail({ Precedence: 'list', Subject: 'Offers' }),
  )
  await arrive(ann, aMail({ From: 'Kim <kim@example.test>', Subject: 'Re: <you>' }, 'Yes & no\n\n> quoted'))
  const alert = await ann.person.hears('New mail')
  expect(alert.text).toBe(
    '✉️ New mail from Kim (kim@example.test)\nRe: <you>\nYes & no\nTo answer, reply to this message.',
  )
  await ann.person.presses('Read', alert)
  await ann.person.hears('Yes & no\nWhat it quotes is in the Inbox of Postrider.\n\nTo answer')
  await ann.person.repliesTo(alert, 'Thank you')
  await ann.person.hears('Reply sent to kim@example.test')
  await app.running.settled()
  expect(relay.ledger.filter(({ to }) => to.includes('kim@example.test'))).toHaveLength(1)
  const [item] = await list(ann.user.browser)
  if (!item) throw new Error('no mail')
  // That somebody marks it unread is no news.
  await write(ann.user.browser, 'PATCH', pathOf(item), { isUnread: true })
  await change(ann, { tells_replies: false })
  await arrive(ann, aMail({ Subject: 'Not wanted' }))
  await allTold(ann)
  expect(ann.person.transcript()).not.toMatch(/Offers|Not wanted/)
  expect(said(ann).filter(({ text }) => text.includes('New mail'))).toHaveLength(1)
})

it('what happens in quiet hours is told afterwards, in one message', async () => {
  const ann = await told({ timeZone: 'Asia/Kolkata' })
  await ann.person.says('/settings')
  const settings = await ann.person.hears('Quiet hours: none')
  await ann.person.presses('Own…', settings)
  await ann.person.hears('The clock is that of Asia/Kolkata')
  const minutes = (at: number) => (Math.floor(Date.now() / 60_000) + 330 + at + 1440) % 1440
  const clock = (at: number) =>
    [Math.floor(minutes(at) / 60), minutes(at) % 60].map((part) => String(part).padStart(2, '0')).join(':')
  const [from, to] = [clock(-60), clock(60)]
  await ann.person.says(`${from}-${to}`)
  await ann.person.hears(`Quiet hours: ${from}–${to}`)
  const before = said(ann).length
  await sendTo(ann, 'At night', recipients(2, 'night'))
  await waiting(app.running, ann, 1)
  await arrive(ann, aMail({ From: 'Lea <lea@example.test>', Subject: 'Are you up?' }))
  await arrive(ann, aMail({ Subject: 'Read in the night' }))
  await waiting(app.running, ann, 3)
  const read = (await list(ann.user.browser)).find(({ subject }) => subject === 'Read in the night')
  if (read) await write(ann.user.browser, 'PATCH', pathOf(read), { isUnread: false })
  // An hour later; it is told the moment it is no longer quiet.
  await sql`
    update telegram_alerts a set created_at = a.created_at - interval '1 hour'
    from telegram_links l where l.id = a.link_id and l.user_id = ${ann.user.userId}`.execute(app.running.db)
  await change(ann, { quiet_from: minutes(-120), quiet_until: minutes(-1) })
  await allTold(ann)
  expect(
    said(ann)
      .slice(before)
      .map(({ text }) => text),
  ).toEqual([
    'While it was quiet:\n\n🟩 Finished: At night, 🟩 2 accepted\n\n✉️ Lea (lea@example.test): Are you up?',
  ])
})

it('a pause is told with its reason and what ends it, a spike of bounces once; not what the person did', async () => {
  const ann = await told()
  const { id } = await sendTo(ann, 'Held', recipients(60, 'held'))
  await finished(ann.user.browser, id)
  await ann.person.hears('Finished: Held')
  const stand = async (columns: Record<string, unknown>) => {
    await setRun(id, columns)
    await look(ann, id)
  }
  await stand({ bounced: 3 })
  await stand({ bounced: 4 })
  await ann.person.hears('4 of 60 bounced (6.7 %)')
  await stand({ bounced: 5, is_open: true, state: 'paused', queued: 1, accepted: 59 })
  await stand({ paused_reason: 'Paused to protect <everybody>: 9 of 90 emails came back' })
  const paused = await ann.person.hears('🟧 Paused: Held')
  expect(paused.text).toContain(
    'Paused to protect <everybody>: 9 of 90 emails came back. It does not go on by itself',
  )
  expect(paused.buttons).toEqual([['▶️ Resume', 'Show campaign']])

  // Seen running in between, it is news again, but not at once.
  await sql`update telegram_alerts set told_at = now() - interval '1 hour' where about = ${id}`.execute(
    app.running.db,
  )
  await stand({ state: 'sending', paused_reason: null, account: 'nobody', queued: 1 })
  await until('the first pause is forgotten', async () => {
    const { rows } =
      await sql`select from telegram_alerts where about = ${id} and kind = 'paused' and told_at < now() - interval '30 minutes'`.execute(
        app.running.db,
      )
    if (rows.length > 0) await stand({ queued: 1 })
    return rows.length === 0
  })
  await sql`insert into account_holds (account, held_until, outage)
    values ('nobody', now() + interval '1 minute', 'Resend is out of order: 503')`.execute(app.running.db)
  await stand({ queued: 1 })
  expect((await ann.person.hears('Resend is out of order: 503')).text).toContain('It goes on by itself')
  await allTold(ann)
  expect(ann.person.transcript().match(/Many emails come back/g)).toHaveLength(1)
  expect(ann.person.transcript().match(/Paused: Held/g)).toHaveLength(2)
})

it('a pause that comes soon after one that was told is not told at once, but it is if it lasts', {
  tags: 'thorough',
}, async () => {
  const ann = await told()
  const { id } = await sendTo(ann, 'Unsteady', recipients(3, 'unsteady'))
  await finished(ann.user.browser, id)
  await ann.person.hears('Finished: Unsteady')
  const stand = async (columns: Record<string, unknown>) => {
    await setRun(id, columns)
    await look(ann, id)
  }
  const pauses = () => ann.person.transcript().match(/Paused: Unsteady/g)?.length ?? 0
  /** What is heard after something is told after it, if that is told at all. */
  const lookedAt = async (subject: string) => {
    await arrive(ann, aMail({ Subject: subject }))
    await ann.person.hears(subject)
  }
  const RUNNING = { state: 'sending', paused_reason: null, account: 'nobody else' }
  const PAUSED = { state: 'paused', paused_reason: 'Resend refuses the key' }
  await stand({ ...PAUSED, is_open: true, queued: 1, accepted: 2 })
  await ann.person.hears('Paused: Unsteady')
  await allTold(ann)

  await stand(RUNNING)
  await lookedAt('It went on')
  await stand(PAUSED)
  await lookedAt('Paused again')
  expect(pauses()).toBe(1)
  await sql`update telegram_alerts set told_at = told_at - interval '1 hour' where about = ${id}`.execute(
    app.running.db,
  )
  await look(ann, id)
  await until('the second pause is told', async () => pauses() === 2)

  // Over before anybody was told, and back before anybody has seen that it was over.
  await sql`delete from telegram_alerts where about = ${id} and kind = 'paused'`.execute(app.running.db)
  await change(ann, { blocked_at: sql`now()` })
  await look(ann, id)
  await waiting(app.running, ann, 1)
  await setRun(id, RUNNING)
  await change(ann, { blocked_at: null })
  await allTold(ann)
  await stand(PAUSED)
  await until('the third pause is told', async () => pauses() === 3)
})
