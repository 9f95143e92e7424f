import { expect, it } from 'vitest'
import { freshDatabase } from '../test/database.ts'
import { aMail, INBOX_ENV } from '../test/inbox.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startTelegramSimulator } from '../test/simulators/telegram.ts'
import { aLinkedChat, anAppWithBot, botEnv } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'

it('messages of a new bot do not stand for what those of the bot before it stood for', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using app = await anAppWithBot({ ...INBOX_ENV, ROLES: 'web,worker,inbound' }, { database })
  const { running, telegram } = app
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const former = await aRunningApp({ ...botEnv(telegram), ROLES: 'telegram' }, { database })
  const ann = await aLinkedChat(app)
  await arrive(running, port, ann, aMail({ From: 'Gus <gus@example.test>' }))
  await ann.person.says('/inbox')
  await ann.person.presses('1', await ann.person.hears(/^Inbox/))
  const old = await ann.person.hears('gus@example.test')
  await former[Symbol.asyncDispose]()

  const other = await startTelegramSimulator({ token: '7099999999:another_bot_token' })
  await using _app = await aRunningApp({ ...botEnv(other), ROLES: 'telegram' }, { database })
  const person = other.person({ firstName: 'Ann', id: ann.person.user.id, hasStarted: true })
  await arrive(running, port, ann, aMail({ From: 'Fay <fay@example.test>' }))
  await person.says('/help')
  await person.hears(/I can do this/)
  await person.says('/inbox')
  await person.presses('1', await person.hears(/^Inbox/))
  const mail = await person.hears('fay@example.test')
  expect(mail.id).toBe(old.id)
  await person.says('For Fay only', { replyTo: mail })
  await person.hears('Reply sent to fay@example.test')
  await running.settled()
  expect(await running.mails.all('gus@example.test')).toEqual([])
  await other.close()
})
