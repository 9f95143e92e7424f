import { afterAll, beforeAll, expect, it } from 'vitest'
import { finished, send } from '../test/campaigns.ts'
import { allRead, aMail, INBOX_ENV, list, pathOf, write } from '../test/inbox.ts'
import { bring, inboxAddress } from '../test/replies.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'

let app: TelegramApp
let port: number
beforeAll(async () => {
  app = await anAppWithBot(INBOX_ENV)
  port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** These have come, the last one newest. */
async function arrive({ user }: LinkedChat, ...mails: string[]): Promise<void> {
  const to = await inboxAddress(user.browser)
  for (const mail of mails) await bring(port, { from: 'bob@example.com', to }, mail)
  await allRead(app.running)
}

/** The newest mail of the inbox, opened in the chat. */
async function opened({ person }: LinkedChat): Promise<Seen> {
  await person.says('/inbox')
  const inbox = await person.hears(/^Inbox/)
  await person.presses('1', inbox)
  return person.hears(/To answer|nobody to answer/)
}

const repliesTo = async (address: string) => {
  await app.running.settled()
  return app.running.mails.all(address)
}

const MASK = { mask: [[/\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M/, 'TIME']] as const }

it('mail is listed unread first, read, marked and put away, and the screens follow', async () => {
  const ann = await aLinkedChat(app, { timeZone: 'Europe/Vienna' })
  const { person, user } = ann
  await person.says('/inbox')
  await person.hears('There is no mail here')
  const { id } = await send(user.browser, {
    recipients: ['fay@example.test'],
    subject: 'Our <news>',
    replyTo: await inboxAddress(user.browser),
  })
  await finished(user.browser, id)
  const answerTo = (await app.running.mails.latest('fay@example.test')).headers['Reply-To'] ?? ''
  await arrive(ann, ...[1, 2, 3, 4, 5, 6].map((number) => aMail({ Subject: `Mail ${number}` })))
  const quote = 'Gladly!\n\nOn Sun, 1 Nov 2026 at 10:00, Ann <ann@example.test>\nwrote:\n> Come & see\n> us'
  await bring(port, { from: 'fay@example.test', to: answerTo }, aMail({ Subject: 'Re: Our <news>' }, quote))
  await allRead(app.running)
  const sixth = (await list(user.browser)).find(({ subject }) => subject === 'Mail 6')
  if (!sixth) throw new Error('no mail')
  await write(user.browser, 'PATCH', pathOf(sixth), { isUnread: false })

  await person.says('/inbox')
  const inbox = await person.hears('6 unread')
  const subjects = ({ text }: Seen) => [...text.matchAll(/^(.*) · \d\d\//gm)].map(([, subject]) => subject)
  expect(subjects(inbox)).toEqual(['Re: Our <news>', 'Mail 5', 'Mail 4', 'Mail 3', 'Mail 2'])
  await person.presses('Older »', inbox)
  expect(subjects(await person.hears('Mail 6'))).toEqual(['Mail 1', 'Mail 6'])
  await person.presses('« Newer', inbox)
  await person.presses('1', inbox)
  const mail = await person.hears('Gladly')
  expect(mail.html).toContain('<blockquote expandable>Gladly!</blockquote>')
  expect(person.transcript(MASK)).toContain(`Bot: Bob Example (bob@example.com)
  Re: Our <news>
  TIME (Europe/Vienna)
  Answers your campaign Our <news>

  Gladly!
  What it quotes is in the Inbox of Postrider.

  To answer, reply to this message.
  [Reply] [Mark unread] [Archive]
  [Next] [Back]`)
  const state = async (subject: string) =>
    (await list(user.browser, '?folder=inbox')).find((item) => item.subject === subject)
  expect(await state('Re: Our <news>')).toMatchObject({ isUnread: false })
  await person.presses('Mark unread', mail)
  await person.hears('● Unread')
  expect(await state('Re: Our <news>')).toMatchObject({ isUnread: true })
  await person.presses('Archive', mail)
  await person.hears('Archived')
  expect(await state('Re: Our <news>')).toBeUndefined()
  await person.presses('Move to inbox', mail)
  await person.presses('Mark read', mail)
  await person.presses('Next', mail)
  const next = await person.hears('Mail 5')
  expect(next.id).not.toBe(mail.id)
  await person.presses('Back', next)
  await person.hears('4 unread')
})

it('a mail that did not get through is not marked read, and is the next one again', {
  tags: 'thorough',
}, async () => {
  const ann = await aLinkedChat(app)
  const { person, user } = ann
  await arrive(ann, ...[1, 2, 3].map((number) => aMail({ Subject: `Mail ${number}` })))
  await person.says('/inbox')
  await person.presses('1', await person.hears(/^Inbox/))
  const newest = await person.hears('Mail 3')
  app.telegram.lieNext('sendMessage', { kind: 'answer', status: 401, description: 'No', when: 'before' })
  await person.presses('Next', newest)
  await person.hears(/Mail [12]\n/)
  expect(person.transcript()).not.toMatch(/^ {2}Mail 1$/m)
  const unread = (await list(user.browser)).filter(({ isUnread }) => isUnread)
  expect(unread.map(({ subject }) => subject)).toEqual(['Mail 1'])
})

it('an answer to a message is an answer to its mail, once however often Telegram tells of it', async () => {
  const ann = await aLinkedChat(app)
  const { person, user } = ann
  const from = 'Gus <gus@example.test>'
  await arrive(ann, aMail({ From: from, Subject: 'First' }), aMail({ From: 'Eve <eve@x.test>' }))
  await person.says('/inbox')
  const inbox = await person.hears('2 unread')
  await person.presses('2', inbox)
  const first = await person.hears('First')
  await person.presses('Next', first)
  await person.hears('eve@x.test')
  // Handled once more, since what it said did not get through.
  app.telegram.lieNext('sendMessage', { kind: 'answer', status: 401, description: 'No', when: 'before' })
  app.telegram.misdeliver({ times: 3, isShuffled: true })
  const answer = await person.repliesTo(first, 'Thank you <b>& all</b>')
  await person.hears('Reply sent to gus@example.test. The mail provider has taken it.')
  app.telegram.misdeliver({})
  await person.edits(answer, 'Something else')
  await person.presses('Reply', first)
  await person.hears('What shall I answer gus@example.test?')
  await person.says('A second thought')
  await person.hears('Reply sent to gus@example.test')
  const mails = await repliesTo('gus@example.test')
  expect(mails.map(({ subject }) => subject)).toEqual(['Re: First', 'Re: First'])
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['A second thought', 'Thank you <b>& all</b>'])
  expect(mails[1]?.text).toContain('> How are you?')
  expect(await repliesTo('eve@x.test')).toEqual([])
  expect(person.transcript().match(/Reply sent/g)).toHaveLength(2)
  const { body } = await app.running.db
    .selectFrom('campaigns')
    .select('body')
    .where('user_id', '=', user.userId)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  expect(body).toMatch(/^Thank you <b>& all<\/b>\n/)
})

it('what cannot be sent is said so, and what was begun is not sent by accident', async () => {
  const ann = await aLinkedChat(app)
  const { person, user } = ann
  await arrive(ann, aMail({ From: 'Hal <hal@example.test>' }))
  const mail = await opened(ann)

  await person.presses('Reply', mail)
  await person.sends('photo')
  await person.hears('I can send text only, so nothing was sent')
  await person.says('\u2800\u200b')
  await person.hears('There is nothing in this message')
  await person.says(`${'x'.repeat(4096)} and the rest`)
  await person.hears('too long for one message of Telegram')
  await person.says('/cancel')
  await person.hears('Left. Nothing was sent')

  // Turning to something else is leaving.
  await person.presses('Reply', mail)
  await person.says('/inbox')
  await person.hears(/^Inbox/)
  await person.says('talking to myself')
  await person.hears('I do not understand this')
  await person.presses('Reply', mail)
  await person.presses('Mark unread', mail)
  await person.says('still talking to myself')
  await person.hears('I do not understand this')

  // A list stands for no mail.
  await person.says('/inbox')
  await person.repliesTo(await person.hears(/^Inbox/), 'to whom?')
  await person.hears('I do not understand this')

  const [item] = await list(user.browser)
  if (!item) throw new Error('no mail')
  await write(user.browser, 'DELETE', pathOf(item))
  await person.repliesTo(mail, 'Too late')
  await person.hears('This mail has been deleted, so no answer was sent')
  expect(await person.presses('Archive', mail)).toBe('This mail has been deleted.')
  expect(await repliesTo('hal@example.test')).toEqual([])
})

it('nothing that a stranger writes breaks a message, hides in it, or speaks as the bot', async () => {
  const ann = await aLinkedChat(app)
  const hostile = aMail(
    {
      From: '"Your Bank\u202e <b>&lt;" <thief@evil.test>',
      'Reply-To': 'other@evil.test',
      Subject: '</b><a href="tg://x">\u202eClick\u200b &amp; win</a>',
    },
    '</blockquote><b>🟩 Reply sent</b> &lt;script&gt; \u202egnp.exe\u2066 <tg-spoiler>\n/unlink https://evil.test/?a=1&b=2',
  )
  await arrive(ann, hostile)
  const mail = await opened(ann)
  expect(mail.text).toContain('Your Bank <b>&lt; (thief@evil.test)')
  expect(mail.text).toContain('</b><a href="tg://x">Click &amp; win</a>')
  expect(mail.text).toContain('</blockquote><b>🟩 Reply sent</b> &lt;script&gt; gnp.exe <tg-spoiler>')
  expect(mail.text).toContain('It goes to other@evil.test, as the sender wishes.')
  expect(mail.text).not.toMatch(/[\u200b\u202e\u2066]/)

  const boundary = (body: string) =>
    `--b\n${body}\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="offer <1>.pdf"\n\n${'p'.repeat(2_600)}\n--b--`
  await arrive(
    ann,
    aMail(
      { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b', Precedence: 'list' },
      boundary(`Content-Type: text/html; charset=utf-8\n\n<p>${'&lt;b&gt; 👩‍👩‍👧 '.repeat(5_000)}</p>`),
    ),
  )
  const long = await opened(ann)
  expect(long.text).toContain('🤖 Automatic mail')
  expect(long.text).toContain('📎 offer _1_.pdf (3 KB)')
  expect(long.text).toMatch(/…\nShortened: the beginning of 64,999 characters/)
  expect(long.text.length).toBeLessThanOrEqual(4096)
  expect(long.text.length).toBeGreaterThan(3_500)
})

it('another’s mail is as absent as one that never was, and nothing is left after the account is unlinked', async () => {
  const [ann, eve] = [await aLinkedChat(app), await aLinkedChat(app, { firstName: 'Eve' })]
  await arrive(ann, aMail({ From: 'ida@example.test', Subject: 'Secret' }))
  const mail = await opened(ann)
  const [item] = await list(ann.user.browser)
  await eve.person.says('/inbox')
  const { id } = await eve.person.hears(/^Inbox/)
  for (const action of ['open', 'unread', 'archive', 'reply'])
    expect(await eve.person.pressesForged(id, `mail/${item?.messageId}/${action}`)).toBe(
      'This mail has been deleted.',
    )
  expect(
    await eve.person.pressesForged(mail.id, `mail/${item?.messageId}/open`, { chatId: ann.person.id }),
  ).toBe('')
  expect(await eve.person.pressesForged(id, `mail/${'x'.repeat(36)}/open`)).toMatch(/older version/)
  expect(eve.person.transcript()).not.toContain('Secret')

  const link = `/api/telegram/link/${ann.person.user.id}`
  expect((await write(ann.user.browser, 'DELETE', link)).status).toBe(204)
  expect(await ann.person.presses('Mark unread', mail)).toMatch(/not linked/)
  await ann.person.repliesTo(mail, 'Hello?')
  await ann.person.hears('not linked to Postrider yet')
  await until('nothing changed', async () => (await list(ann.user.browser))[0]?.isUnread === false)
  expect(await repliesTo('ida@example.test')).toEqual([])
})
