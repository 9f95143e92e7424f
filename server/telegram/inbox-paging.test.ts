import { afterAll, beforeAll, expect, it } from 'vitest'
import { aMail, INBOX_ENV, list, pathOf, write } from '../test/inbox.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { arrive } from '../test/telegram-alerts.ts'
import { until } from '../test/until.ts'

let app: TelegramApp
let port: number
beforeAll(async () => {
  app = await anAppWithBot(INBOX_ENV)
  port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Somebody who has so many unread mails, the one with the highest number newest. */
async function withMails(count: number): Promise<LinkedChat> {
  const ann = await aLinkedChat(app)
  const mails = Array.from({ length: count }, (_, index) => aMail({ Subject: `Mail ${index + 1}` }))
  await arrive(app.running, port, ann, ...mails)
  return ann
}

const numbers = ({ text }: Seen): number[] =>
  [...text.matchAll(/^Mail (\d+) · \d\d\//gm)].map(([, number]) => Number(number))

async function archive({ user }: LinkedChat, number: number): Promise<void> {
  const mail = (await list(user.browser)).find(({ subject }) => subject === `Mail ${number}`)
  if (!mail) throw new Error('no mail')
  await write(user.browser, 'PATCH', pathOf(mail), { isArchived: true })
}

/** What stands in a message after one of its buttons was pressed. */
async function turned({ person }: LinkedChat, button: string, inbox: Seen): Promise<Seen> {
  await person.presses(button, inbox)
  const shown = person.messages().find(({ id }) => id === inbox.id)
  if (!shown) throw new Error('no list')
  return shown
}

it('no unread mail is passed over, however many were read before the page was turned', async () => {
  const ann = await withMails(12)
  const { person } = ann
  await person.says('/inbox')
  const inbox = await person.hears('12 unread')
  expect(numbers(inbox)).toEqual([12, 11, 10, 9, 8])
  for (const number of [1, 2]) {
    await person.presses(String(number), inbox)
    await person.hears('To answer')
  }
  expect(numbers(await turned(ann, 'Older »', inbox))).toEqual([7, 6, 5, 4, 3])
  const last = await turned(ann, 'Older »', inbox)
  expect(numbers(last)).toEqual([2, 1, 12, 11])
  expect(last.buttons.flat()).not.toContain('Older »')
  expect(numbers(await turned(ann, '« Newer', inbox))).toEqual([7, 6, 5, 4, 3])
  const first = await turned(ann, '« Newer', inbox)
  expect(numbers(first)).toEqual([10, 9, 8, 7, 6])
  expect(first.buttons.flat()).not.toContain('« Newer')
})

it('mails that were put away before the page was turned hide no other, and an empty page leads back', {
  tags: 'thorough',
}, async () => {
  const ann = await withMails(6)
  const { person } = ann
  await person.says('/inbox')
  const inbox = await person.hears('6 unread')
  await archive(ann, 4)
  expect(numbers(await turned(ann, 'Older »', inbox))).toEqual([1])

  const others = await withMails(6)
  await others.person.says('/inbox')
  const shown = await others.person.hears('6 unread')
  await archive(others, 1)
  const empty = await turned(others, 'Older »', shown)
  expect(empty.text).toContain('Nothing is left on this page.')
  expect(empty.text).not.toContain('There is no mail')
  expect(numbers(await turned(others, '« Newest', shown))).toEqual([6, 5, 4, 3, 2])
})

it('a list of an older version, whose buttons count pages, begins anew', { tags: 'thorough' }, async () => {
  const ann = await withMails(6)
  const { person } = ann
  await person.says('/inbox')
  const inbox = await person.hears('6 unread')
  expect(numbers(await turned(ann, 'Older »', inbox))).toEqual([1])
  expect(await person.pressesForged(inbox.id, 'inbox/2')).toBe('This list was out of date, so it begins anew')
  await until('the first page is shown', async () => {
    const shown = person.messages().find(({ id }) => id === inbox.id)
    return shown !== undefined && numbers(shown).join() === '6,5,4,3,2'
  })
})
