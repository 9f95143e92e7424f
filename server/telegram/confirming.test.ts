import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedIn } from '../test/accounts.ts'
import { recipients } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startTelegramSimulator, type TelegramFault } from '../test/simulators/telegram.ts'
import { aLinkedChat, anAppWithBot, botEnv, type TelegramApp } from '../test/telegram.ts'
import { dataOf, historyOf, suppress, written } from '../test/telegram-letters.ts'
import { until } from '../test/until.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

describe('a confirmation', () => {
  it('sends once: a hundred presses, each update three times and in no order', async () => {
    const { user, person } = await aLinkedChat(app)
    const preview = await written(person, recipients(3, 'once').join(', '))
    app.telegram.misdeliver({ times: 3, isShuffled: true })
    try {
      // One after the other, each with all that it shows.
      const press = () => person.presses('Send to 3', preview, { within: 60_000 })
      const said = await Promise.all(Array.from({ length: 100 }, press))
      expect(said.filter((words) => words === 'On its way to 3 people')).toHaveLength(1)
      expect(said.filter((words) => words === 'This letter is sent already')).toHaveLength(99)
    } finally {
      app.telegram.misdeliver({})
    }
    await person.hears(/3 accepted/)
    expect(await historyOf(user)).toHaveLength(1)
    await app.running.settled()
    expect(await app.running.mails.all('once1@example.test')).toHaveLength(1)
  })

  it('sends once although Telegram refuses, fails and cuts off what it is answered (R30)', async () => {
    const { user, person } = await aLinkedChat(app)
    const preview = await written(person, recipients(3, 'lied').join(', '))
    const lies: TelegramFault[] = [
      { kind: 'rate-limit', retryAfter: 1 },
      { kind: 'answer', status: 500, description: 'Internal Server Error', when: 'after' },
      { kind: 'bad-gateway', when: 'before' },
      { kind: 'reset', when: 'after' },
    ]
    let calls = 0
    app.telegram.misdeliver({ times: 3, isShuffled: true })
    app.telegram.lieBy(({ method }) =>
      method === 'getUpdates' || calls++ % 3 > 0 ? null : (lies[((calls / 3) % lies.length) | 0] ?? null),
    )
    try {
      await Promise.allSettled(Array.from({ length: 8 }, () => person.presses('Send to 3', preview)))
    } finally {
      app.telegram.misdeliver({})
      app.telegram.lieBy(() => null)
    }
    await person.says('/help')
    await person.hears(/I can do this/, { within: 40_000 })
    expect(await historyOf(user)).toHaveLength(1)
    await app.running.settled()
    expect(await app.running.mails.all('lied1@example.test')).toHaveLength(1)
  })

  it('of a preview that is older than the letter, or than twelve hours, sends nothing and shows the new one', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app)
    const old = await written(person, 'bob@x.test')
    await person.says('tom@x.test')
    const newer = await person.hears(/To 2 people/)
    expect(await person.presses('Send to 1', old)).toMatch(/^This preview is older than your letter/)
    expect(await person.hears(/To 2 people/)).toMatchObject({ id: old.id })
    const yesterday = Math.floor(Date.now() / 60_000 - 12 * 60 - 1).toString(36)
    const forged = dataOf(app, 'go').replace(/\w+$/, yesterday)
    expect(await person.pressesForged(newer.id, forged)).toMatch(/^This preview is older than 12 hours/)
    expect(await historyOf(user)).toEqual([])
    await person.presses('Send to 2', newer)
    await person.hears(/2 recipients/)
    expect(await person.pressesForged(old.id, forged)).toBe('This letter is sent already')
    expect(await historyOf(user)).toHaveLength(1)
  })

  it('mails nobody who was shown as left out, and shows who is left out now', async () => {
    const { user, person } = await aLinkedChat(app)
    await suppress(user, 'gone@example.test')
    const preview = await written(person, 'bob@x.test, gone@example.test')
    expect(preview.text).toContain('left out: gone@example.test')
    const wanted = { address: 'gone@example.test' }
    expect((await user.browser.post('/api/suppressions/remove', wanted)).status).toBe(200)
    expect(await person.presses('Send to 1', preview)).toMatch(
      /^Your suppression list has changed since this preview/,
    )
    expect(await historyOf(user)).toEqual([])
    await person.presses('Send to 2', await person.hears(/To 2 people/))
    await person.hears(/2 recipients/)
    expect(await historyOf(user)).toHaveLength(1)
  })

  it('of a letter of somebody else does nothing, whatever the button holds', async () => {
    const [ann, eve] = [await aLinkedChat(app), await aLinkedChat(app, { firstName: 'Eve' })]
    await written(ann.person, 'bob@x.test')
    const send = dataOf(app, 'go')
    const { id } = await eve.person.says('/help')
    for (const data of [send, dataOf(app, 'subject'), dataOf(app, 'ask-discard').replace('ask-', '')])
      expect(await eve.person.pressesForged(id, data)).toMatch(/not there any more/)
    expect(await historyOf(ann.user)).toEqual([])
    expect(await historyOf(eve.user)).toEqual([])
    await ann.person.presses('Send to 1')
    await ann.person.hears(/1 recipient/)
  })

  it('is the same campaign when it could not be told', { tags: 'thorough' }, async () => {
    const { user, person } = await aLinkedChat(app)
    const preview = await written(person, 'bob@x.test')
    app.telegram.lieNext('editMessageText', {
      kind: 'answer',
      status: 400,
      description: 'Bad Request: no',
      when: 'before',
    })
    expect(await person.presses('Send to 1', preview)).toBe('On its way to 1 person')
    await person.hears(/1 recipient/)
    expect(await historyOf(user)).toHaveLength(1)
  })

  it('sends nothing where the letter cannot be marked as sent, and all of it once it can', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app)
    const preview = await written(person, 'bob@x.test')
    const { db } = app.running
    await sql`create function refuse_mark() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`.execute(db)
    await sql`create trigger refuse_mark before update of campaign_id on telegram_letters
      for each row execute function refuse_mark()`.execute(db)
    const pressed = person.presses('Send to 1', preview)
    await until('it was tried', async () => /the disk is full/.test(app.running.logged()))
    expect(await historyOf(user)).toEqual([])
    await sql`drop trigger refuse_mark on telegram_letters`.execute(db)
    expect(await pressed).toBe('On its way to 1 person')
    expect(await historyOf(user)).toHaveLength(1)
  })
})

describe('a restart', () => {
  it('takes nothing away, whatever was asked last; and what is said meanwhile is heard', {
    tags: 'thorough',
  }, async () => {
    await using database = await freshDatabase()
    const telegram = await startTelegramSimulator()
    const start = () => aRunningApp(botEnv(telegram), { database })
    let running = await start()
    const { user, person } = await aLinkedChat({ running, telegram })
    /** While nothing runs. */
    async function then(act: () => Promise<unknown>, answer: RegExp): Promise<void> {
      await running[Symbol.asyncDispose]()
      const acted = act()
      running = await start()
      await acted
      await person.hears(answer)
    }
    await person.says('/send')
    await person.hears(/subject/)
    await then(() => person.says('Hello'), /Now the text/)
    await person.says('How are')
    await person.hears(/7 characters/)
    await then(() => person.says('you?'), /12 characters/)
    await person.presses('Done')
    await person.hears(/To whom/)
    await then(() => person.says('bob@x.test, tom@x.test'), /To 2 people/)
    await then(() => person.presses('Send to 2'), /2 recipients/)
    const [campaign] = await historyOf({ ...user, browser: await signedIn(running, user.userId) })
    expect(campaign).toMatchObject({ subject: 'Hello', body: 'How are\nyou?', recipientCount: 2 })
    await running[Symbol.asyncDispose]()
    await telegram.close()
  })
})
