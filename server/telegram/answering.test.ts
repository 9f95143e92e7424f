import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aMail, INBOX_ENV, list, pathOf, write } from '../test/inbox.ts'
import { aLinkedChat, anAppWithBot } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'
import { until } from '../test/until.ts'

it('after an answer of which nobody could be told the next message goes to nobody', async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { running, telegram } = app
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app)
  const { person } = ann
  await arrive(running, port, ann, aMail({ From: 'Gus <gus@example.test>' }))
  await person.says('/inbox')
  await person.presses('1', await person.hears(/^Inbox/))
  await person.presses('Reply', await person.hears('gus@example.test'))
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
  await person.says('Hello? Are you there?')
  await person.hears('was not sent to anybody')
  await person.says('And now?')
  await person.hears('I do not understand this')
  await running.settled()
  const mails = await running.mails.all('gus@example.test')
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['With kind regards'])
})

it('of an answer that was sent nobody is told that it was not, although its mail is deleted meanwhile', async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const { running, telegram } = app
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app)
  const { person, user } = ann
  await arrive(running, port, ann, aMail({ From: 'Gus <gus@example.test>' }))
  await person.says('/inbox')
  await person.presses('1', await person.hears(/^Inbox/))
  const mail = await person.hears('gus@example.test')
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
  await running.settled()
  expect(await running.mails.all('gus@example.test')).toHaveLength(1)
})
