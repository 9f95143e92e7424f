import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recipients } from '../test/campaigns.ts'
import type { Person } from '../test/simulators/telegram-people.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { dataOf, historyOf, written, writtenText } from '../test/telegram-letters.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

const CUT = /Telegram cut this text into pieces.*A \.txt file keeps every line as it is/s

async function begun(person: Person): Promise<void> {
  await person.says('/send')
  await person.hears(/subject/)
  await person.says('Long')
  await person.hears(/Now the text/)
}

it('a text that a client has cut is said to be, when it is joined and in the preview', async () => {
  const { user, person } = await aLinkedChat(app)
  await begun(person)
  const paragraphs = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}. ${'word '.repeat(20)}end.`)
  const text = paragraphs.join('\n\n')
  await person.says(text)
  await person.hears(CUT)
  await person.presses('Done')
  await person.hears(/To whom/)
  await person.says('bob@x.test')
  const preview = await person.hears(/To 1 person/)
  expect(preview.text).toMatch(CUT)
  await person.presses('Edit subject')
  await person.says('Longer')
  expect((await person.hears(/Subject: Longer/)).text).toMatch(CUT)
  await person.presses('Send to 1')
  await person.hears(/1 recipient/)
  // Joined by a line break, where there was a blank line.
  const body = (await historyOf(user))[0]?.body ?? ''
  expect(body.replace(/\n+/g, '\n')).toBe(text.replace(/\n+/g, '\n'))
})

it('of a text that is one message, or a file in its place, nothing of the kind is said', {
  tags: 'thorough',
}, async () => {
  const { user, person } = await aLinkedChat(app)
  await begun(person)
  await person.says('word '.repeat(600))
  await person.hears(/The text has 2,999 characters/)
  await person.presses('Done')
  await person.says('bob@x.test')
  expect((await person.hears(/To 1 person/)).text).not.toMatch(CUT)
  await person.presses('Edit body')
  await person.says('word '.repeat(1_200))
  await person.hears(CUT)
  await person.presses('Done')
  expect((await person.hears(/To 1 person/)).text).toMatch(CUT)
  await person.presses('Edit body')
  await person.sendsFile('letter.txt', 'one\n\ntwo')
  await person.hears(/The text has 8 characters/)
  await person.presses('Done')
  expect((await person.hears(/To 1 person/)).text).not.toMatch(CUT)
  await person.presses('Send to 1')
  await person.hears(/1 recipient/)
  expect((await historyOf(user))[0]?.body).toBe('one\n\ntwo')
})

it('a link under words of a letter is in the preview and in the mail, written out', async () => {
  const { user, person } = await aLinkedChat(app)
  await begun(person)
  await person.says('Read more', { links: { more: 'https://news.example/1' } })
  await person.hears(/The text has 34 characters/)
  await person.presses('Done')
  await person.says('bob@x.test')
  const body = 'Read more (https://news.example/1)'
  expect((await person.hears(/To 1 person/)).text).toContain(body)
  await person.presses('Send to 1')
  await person.hears(/1 recipient/)
  expect((await historyOf(user))[0]?.body).toBe(body)
})

it('a list that a client has cut within a name has everybody, by their whole name', async () => {
  const { user, person } = await aLinkedChat(app)
  await writtenText(person, 'To whole names')
  const people = Array.from({ length: 200 }, (_, n) => `Ann Mary Lee ${n} <ann${n}@x.test>`)
  await person.says(people.join(', '))
  await person.hears(/To 200 people/)
  expect(person.transcript()).toMatch(/Telegram may have cut this list in "Ann/)
  const { recipients: kept } = await app.running.db
    .selectFrom('telegram_letters')
    .select('recipients')
    .where('subject', '=', 'To whole names')
    .executeTakeFirstOrThrow()
  expect(kept).toEqual(people)
  await person.presses('Send to 200')
  await person.hears(/200 recipients/)
  expect((await historyOf(user))[0]).toMatchObject({ recipientCount: 200 })
})

describe('the last entry of a long list, where it is no address and may be cut,', {
  tags: 'thorough',
}, () => {
  const LIST = `${recipients(150, 'long').join(', ')}, Bob Miller`
  const BAD = /not a valid e-mail address:\n• "Bob Miller"\n\n151 others are kept/

  /** As far as the question whether it goes on, with an address before it. */
  async function listed(): Promise<{ person: Person; preview: Seen }> {
    const { person } = await aLinkedChat(app)
    const preview = await written(person, 'first@x.test')
    await person.presses('Edit recipients')
    await person.says(LIST)
    await person.hears(/may have cut this list in "Bob Miller"/)
    return { person, preview }
  }

  it('is named after a file with the rest of it', async () => {
    const { person } = await listed()
    await person.sendsFile('more.txt', 'zoe@x.test')
    await person.hears(/1 address read from more\.txt.*"Bob Miller".*152 others/s)
  })

  it('is named when the letter is gone on with, also after it was left', { tags: 'thorough' }, async () => {
    const { person } = await listed()
    for (const leaving of ['/send', '/cancel', '/settings']) {
      await person.says(leaving)
      await person.says('/send')
      await person.presses('Go on', await person.hears(/not sent yet/))
      await person.hears(BAD)
    }
  })

  it('is named to whoever presses a button of before, and nobody is sent anything', {
    tags: 'thorough',
  }, async () => {
    const { person, preview } = await listed()
    expect(await person.pressesForged(preview.id, dataOf(app, 'go'))).toMatch(/older than your letter/)
    await person.hears(BAD)
  })

  it('is an entry of its own once it was named, whatever comes next', { tags: 'thorough' }, async () => {
    const { person } = await listed()
    await person.presses('Done')
    await person.hears(BAD)
    await person.says('zoe@x.test')
    await person.hears(/"Bob Miller".*152 others/s)
    await person.presses('Leave this out')
    await person.hears(/To 152 people/)
    await person.says('yves@x.test')
    await person.hears(/To 153 people/)
  })
})
