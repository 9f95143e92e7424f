import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aMail, INBOX_ENV, list, pathOf, write } from '../test/inbox.ts'
import type { Person } from '../test/simulators/telegram-people.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'
import { until } from '../test/until.ts'

/** Somebody whose mail from Gus is open in the chat. */
async function withMail(app: TelegramApp) {
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app)
  await arrive(app.running, port, ann, aMail({ From: 'Gus <gus@example.test>' }))
  await ann.person.says('/inbox')
  await ann.person.presses('1', await ann.person.hears(/^Inbox/))
  const mail: Seen = await ann.person.hears('gus@example.test')
  return { ...ann, mail }
}

const mailsToGus = async ({ running }: TelegramApp) => {
  await running.settled()
  return running.mails.all('gus@example.test')
}

/** An answer that leaves, and of which nobody can be told. */
async function answersUntold({ running, telegram }: TelegramApp, person: Person, mail: Seen): Promise<void> {
  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  const refusal = { kind: 'answer', status: 401, description: 'No', when: 'before' } as const
  telegram.lieBy(({ method }) => (method === 'sendMessage' ? refusal : null))
  await person.says('With kind regards')
  await until('it is tried for the last time', async () => {
    const { numAffectedRows } = await sql`
      update telegram_updates set attempts = 4, claimed_until = null
      where handled_at is null and claim is null and attempts between 1 and 3`.execute(running.db)
    return numAffectedRows === 1n
  })
  await until('it is given up', () => Promise.resolve(/could not be handled/.test(running.logged())))
  telegram.lieBy(() => null)
}

it('after an answer of which nobody could be told the next message goes to nobody', async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { person, mail } = await withMail(app)
  await answersUntold(app, person, mail)
  await person.says('Hello? Are you there?')
  await person.hears('was not sent to anybody')
  await person.says('And now?')
  await person.hears('I do not understand this')
  const mails = await mailsToGus(app)
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['With kind regards'])
})

it('whoever leaves after an answer of which nobody could be told hears that it was sent', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { person, mail } = await withMail(app)
  await answersUntold(app, person, mail)
  await person.says('/cancel')
  await person.hears('Left. Your answer before was sent.')
  expect(await mailsToGus(app)).toHaveLength(1)
})

it('of an answer that was sent nobody is told that it was not, although its mail is deleted meanwhile', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { running, telegram } = app
  const { person, user, mail } = await withMail(app)
  const refusal = { kind: 'answer', status: 401, description: 'No', when: 'before' } as const
  telegram.lieBy(({ method }) => (method === 'sendMessage' ? refusal : null))
  await person.repliesTo(mail, 'With kind regards')
  await until('it is sent, and could not be told', () =>
    Promise.resolve(/handled again later/.test(running.logged())),
  )
  const [item] = await list(user.browser)
  if (!item) throw new Error('no mail')
  expect((await write(user.browser, 'DELETE', pathOf(item))).status).toBeLessThan(300)
  telegram.lieBy(() => null)
  await person.hears('Reply sent to gus@example.test. The mail provider has taken it.')
  expect(person.transcript()).not.toContain('no answer was sent')
  expect(await mailsToGus(app)).toHaveLength(1)
})

it('what is said more than an hour after Reply was pressed goes to nobody, unless it was sent before', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { running, telegram } = app
  const { person, mail } = await withMail(app)
  const hourPasses = () =>
    sql`update telegram_dialogues set updated_at = updated_at - interval '61 minutes'`.execute(running.db)
  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  await hourPasses()
  await person.says('Milk, bread, eggs')
  await person.hears('You pressed Reply more than an hour ago, so this message was not sent to anybody')
  await person.says('And butter')
  await person.hears('I do not understand this')
  expect(await mailsToGus(app)).toEqual([])

  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  const refusal = { kind: 'answer', status: 401, description: 'No', when: 'before' } as const
  telegram.lieBy(({ method }) => (method === 'sendMessage' ? refusal : null))
  await person.says('With kind regards')
  await until('it is sent, and could not be told', () =>
    Promise.resolve(/handled again later/.test(running.logged())),
  )
  await hourPasses()
  telegram.lieBy(() => null)
  await person.hears('Reply sent to gus@example.test')
  expect(await mailsToGus(app)).toHaveLength(1)
})

const sentences = (length: number): string =>
  'We have thought about it. '.repeat(length / 26 + 1).slice(0, length)

it('an answer that a client sends in pieces goes to nobody, wherever it was cut', async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { person, mail } = await withMail(app)
  const TOO_LONG = 'too long for one message of Telegram, so nothing was sent'
  // The rest of it is heard and dropped before anything that is said next.
  const leave = async () => {
    await person.says('/cancel')
    await person.hears('Left. Nothing was sent')
  }
  await person.presses('Reply', mail)
  await person.says(sentences(6_000))
  await person.hears(TOO_LONG)
  await leave()
  await person.repliesTo(mail, sentences(10_000))
  await person.hears(TOO_LONG)
  await leave()
  // As other clients do, soon after half of what a message holds.
  await person.presses('Reply', mail)
  await Promise.all([person.says(sentences(2_100)), person.says(sentences(3_900))])
  await person.hears(TOO_LONG)
  await leave()
  expect(person.transcript()).not.toMatch(/I do not understand|Reply sent/)
  expect(person.transcript().split(TOO_LONG)).toHaveLength(4)
  expect(await mailsToGus(app)).toEqual([])
})

it('an answer whose pieces come one by one over a slow line goes to nobody, the last one neither', async () => {
  let now = Date.now()
  await using app = await anAppWithBot(INBOX_ENV, { simulator: { now: () => now } })
  const { person, mail } = await withMail(app)
  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  await person.says(sentences(4_096))
  await person.hears('too long for one message of Telegram')
  for (const piece of [sentences(4_096), 'With kind regards']) {
    now += 4_000
    await person.says(piece)
    await app.running.settled()
  }
  await person.says('/cancel')
  await person.hears('Left. Nothing was sent')
  expect(await mailsToGus(app)).toEqual([])
})

it('a long answer is kept until it is known that no more of it comes', { tags: 'thorough' }, async () => {
  // Two messages of the same moment are parts of one, however long this machine takes between them.
  const now = Date.now()
  await using app = await anAppWithBot(INBOX_ENV, { simulator: { now: () => now } })
  const { person, mail } = await withMail(app)
  const { db } = app.running
  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  // Longer than any machine takes for what follows.
  await sql`create function just_came() returns trigger language plpgsql as
    $$ begin new.received_at := now() + interval '1 minute'; return new; end $$`.execute(db)
  await sql`create trigger just_came before insert on telegram_updates
    for each row execute function just_came()`.execute(db)
  const waiting = async (count: number) => {
    const { rows } = await sql<{ attempts: number; isPutOff: boolean }>`
      select attempts, claim is null and coalesce(claimed_until > now(), false) as "isPutOff" from telegram_updates
      where handled_at is null order by update_id`.execute(db)
    return rows.length === count && rows[0]?.isPutOff === true && rows[0].attempts === 0
  }
  await person.says(sentences(3_900))
  await until('it waits', () => waiting(1))
  await person.says(sentences(500))
  await until('the rest of it has come', () => waiting(2))
  await sql`update telegram_updates set claimed_until = null where handled_at is null`.execute(db)
  await person.hears('too long for one message of Telegram')
  await until('the rest of it is heard', async () => {
    const { rows } = await sql`select from telegram_updates where handled_at is null`.execute(db)
    return rows.length === 0
  })
  expect(person.transcript()).not.toMatch(/I do not understand|Reply sent/)
  expect(await mailsToGus(app)).toEqual([])
})

it('a long answer that is one message is sent whole, and once', { tags: 'thorough' }, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { person, mail } = await withMail(app)
  const text = `${sentences(3_000)}The end`
  await person.presses('Reply', mail)
  await person.hears('What shall I answer')
  await person.says(text)
  await person.hears('Reply sent to gus@example.test')
  const mails = await mailsToGus(app)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text.replace(/\s+/g, ' ')).toContain(text)
  expect(app.running.logged()).not.toMatch(/handled again later/)
})

it('a link under words of an answer is in the mail, written out', async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { person, mail } = await withMail(app)
  const links = { here: 'https://sign.example/a?b=1', 'shop.example': 'https://shop.example/' }
  await person.says('🎉 Sign here, or see shop.example, please', { replyTo: mail, links })
  await person.hears('Reply sent to gus@example.test')
  const [sent] = await mailsToGus(app)
  expect(sent?.text.split('\n')[0]).toBe(
    '🎉 Sign here (https://sign.example/a?b=1), or see shop.example, please',
  )
})
