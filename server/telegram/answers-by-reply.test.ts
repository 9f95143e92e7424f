import { afterAll, beforeAll, expect, it } from 'vitest'
import { aMail, INBOX_ENV } from '../test/inbox.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'

let app: TelegramApp
let port: number
beforeAll(async () => {
  app = await anAppWithBot(INBOX_ENV)
  port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Mails from these two, both open in the chat. */
async function withMails(chat: LinkedChat, gus: string, eve: string): Promise<{ gus: Seen; eve: Seen }> {
  const { person } = chat
  await arrive(app.running, port, chat, aMail({ From: gus }), aMail({ From: eve }))
  await person.says('/inbox')
  const inbox = await person.hears(/^Inbox/)
  await person.presses('1', inbox)
  const second = await person.hears(eve)
  await person.presses('2', inbox)
  return { gus: await person.hears(gus), eve: second }
}

const firstLines = async (address: string) => {
  await app.running.settled()
  const mails = await app.running.mails.all(address)
  return mails.map(({ text }) => text.split('\n')[0]).toReversed()
}

it('a reply to what the bot has asked or said about a mail goes to who wrote it, whoever was asked about since', {
  tags: 'thorough',
}, async () => {
  const ann = await aLinkedChat(app)
  const { person } = ann
  const mails = await withMails(ann, 'gus@example.test', 'eve@example.test')
  const ask = async (mail: Seen, who: string) => {
    await person.presses('Reply', mail)
    return person.hears(`What shall I answer ${who}`)
  }
  const question = await ask(mails.gus, 'gus@example.test')
  await ask(mails.eve, 'eve@example.test')
  await person.repliesTo(question, 'For Gus')
  const sent = await person.hears('Reply sent to gus@example.test')
  await ask(mails.eve, 'eve@example.test')
  await person.repliesTo(sent, 'For Gus as well')
  await person.hears('Reply sent to gus@example.test')
  await ask(mails.gus, 'gus@example.test')
  await person.sends('photo')
  const refusal = await person.hears('I can send text only')
  await ask(mails.eve, 'eve@example.test')
  await person.repliesTo(refusal, 'In words, Gus')
  await person.hears('Reply sent to gus@example.test')
  expect(await firstLines('gus@example.test')).toEqual(['For Gus', 'For Gus as well', 'In words, Gus'])
  expect(await firstLines('eve@example.test')).toEqual([])
})

it('a reply to a message of the bot that stands for no mail goes to nobody, although an answer is expected', async () => {
  const ann = await aLinkedChat(app)
  const { person } = ann
  const mails = await withMails(ann, 'hal@example.test', 'ida@example.test')
  await person.says('/help')
  const help = await person.hears('I can do this')
  await person.presses('Reply', mails.gus)
  await person.hears('What shall I answer hal@example.test')
  await person.repliesTo(help, 'Thank you, bot')
  await person.hears(
    'You replied to a message of mine that stands for no mail, so this message was not sent to anybody. To answer, press Reply again.',
  )
  await person.says('Hello?')
  await person.hears('I do not understand this')
  expect(await firstLines('hal@example.test')).toEqual([])
  expect(await firstLines('ida@example.test')).toEqual([])
})
