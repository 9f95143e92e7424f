import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkCode, TelegramBot, TelegramLinks, TelegramNews } from '../../contract/telegram.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Answer } from '../test/browser.ts'
import { watch } from '../test/event-stream.ts'
import { aCode, aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

const linksOf = async ({ browser }: SignedIn): Promise<TelegramLinks> =>
  (await browser.get('/api/telegram/links')).json() as TelegramLinks
const botOf = async ({ browser }: SignedIn): Promise<TelegramBot> =>
  (await browser.get('/api/telegram/bot')).json() as TelegramBot
const remove = ({ browser }: SignedIn, what: string): Promise<Answer> =>
  browser.send({
    method: 'DELETE',
    path: `/api/telegram/${what}`,
    headers: { origin: app.running.config.publicUrl.origin },
  })

describe('a link', () => {
  it('is made by a code, however it is typed, and is seen on the screen', async () => {
    const user = await aUser(app.running)
    await until('the bot is known', async () => (await botOf(user)).state === 'ready')
    const answer = (await user.browser.post('/api/telegram/link', {})).json() as LinkCode
    expect(answer.code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
    expect(answer.url).toBe(`https://t.me/${app.telegram.username}?start=${answer.code}`)
    const minutes = (Date.parse(answer.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9.5)
    expect(minutes).toBeLessThanOrEqual(10.1)

    const bob = app.telegram.person({ firstName: 'Bob <b>', username: 'bob' })
    await bob.starts()
    await bob.hears(/not linked to Postrider yet/)
    await bob.says(`/link ${answer.code.toLowerCase().replaceAll('-', ' ')}`)
    await bob.hears(`Linked to ${user.email}`)
    expect(await linksOf(user)).toEqual([
      {
        id: expect.any(String),
        telegramUserId: String(bob.user.id),
        telegramFirstName: 'Bob <b>',
        telegramUsername: 'bob',
        linkedAt: expect.any(String),
        isBlocked: false,
      },
    ])
  })

  it('is told to the open page at once, and so is its end, from either side', {
    tags: 'thorough',
  }, async () => {
    const user = await aUser(app.running)
    const stream = await watch(app.running, user.browser)
    const told = (links: unknown[]) =>
      stream.next(`links ${JSON.stringify(links)}`, ({ name, data }) => {
        const names =
          name === 'telegram' ? (data as TelegramNews).links.map((link) => link.telegramFirstName) : null
        return JSON.stringify(names) === JSON.stringify(links)
      })
    const carl = app.telegram.person({ firstName: 'Carl' })
    await carl.starts(await aCode(user))
    await told(['Carl'])

    await carl.says('/unlink')
    await carl.presses('Unlink')
    await carl.hears(/Unlinked from/)
    await told([])
    stream.leave()

    await carl.says(`/start ${await aCode(user)}`)
    await carl.hears(/Linked to/)
    const gone = await remove(user, `link/${carl.user.id}`)
    expect(gone.status).toBe(204)
    await carl.says('/help')
    await carl.hears(/not linked to Postrider yet/)
  })

  it('is of one account and one Telegram account: neither gets a second', async () => {
    const { user, person } = await aLinkedChat(app)
    const second = await user.browser.post('/api/telegram/link', {})
    expect(second.status).toBe(409)
    expect(second.text).toMatch(/Unlink it first/)

    const other = await aUser(app.running)
    await person.says(`/start ${await aCode(other)}`)
    await person.hears(`This Telegram account is linked to ${user.email}`)
    expect(await linksOf(other)).toEqual([])
  })

  it('is made once by a code, however many try it at the same moment', async () => {
    const user = await aUser(app.running)
    const code = await aCode(user)
    const crowd = Array.from({ length: 6 }, (_, index) =>
      app.telegram.person({ firstName: `Racer ${index}` }),
    )
    await Promise.all(crowd.map((racer) => racer.starts(code)))
    const heard = await Promise.all(crowd.map((racer) => racer.hears(/Linked to|do not know this code/)))
    expect(heard.filter(({ text }) => /Linked to/.test(text))).toHaveLength(1)
    expect(await linksOf(user)).toHaveLength(1)
  })

  it('is not made by a code that is old, dropped, or replaced by a newer one', async () => {
    const user = await aUser(app.running)
    const dan = app.telegram.person({ firstName: 'Dan' })
    const replaced = await aCode(user)
    const dropped = await aCode(user)
    expect((await remove(user, 'code')).status).toBe(204)
    const old = await aCode(user)
    await app.running.db
      .updateTable('telegram_codes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('user_id', '=', user.userId)
      .execute()
    for (const code of [replaced, dropped, old]) {
      await dan.says(`/start ${code}`)
      await dan.hears(/do not know this code/)
    }
    expect(await linksOf(user)).toEqual([])
  })

  it('cannot be guessed: after five tries even the right code waits', async () => {
    const user = await aUser(app.running)
    const code = await aCode(user)
    const eve = app.telegram.person({ firstName: 'Eve' })
    for (let guess = 0; guess < 5; guess++) {
      await eve.says(`/link AAAA-AAAA-AAAA-AAA${guess + 2}`)
      await eve.hears(/do not know this code/)
    }
    await eve.says(`/link ${code}`)
    await eve.hears(/Too many attempts/)
    expect(await linksOf(user)).toEqual([])
  })

  it('keeps only a hash of the code', async () => {
    const user = await aUser(app.running)
    const code = await aCode(user)
    const rows = await app.running.db.selectFrom('telegram_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(app.running.logged()).not.toContain(code)
  })
})

describe('an account of another', () => {
  it('is not unlinked by somebody else, who is told what is told about one that never was', async () => {
    const { user, person } = await aLinkedChat(app)
    const stranger = await aUser(app.running)
    const answers = await Promise.all(
      [String(person.user.id), '1', 'x', '9223372036854775808'].map((id) => remove(stranger, `link/${id}`)),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      Array(4).fill([404, 'This link does not exist']),
    )
    expect(await linksOf(user)).toHaveLength(1)
  })
})

describe('somebody who blocks the bot', () => {
  it('is shown so in Settings, until they start it again', async () => {
    const { user, person } = await aLinkedChat(app)
    person.blocks()
    await until('the block is known', async () => (await linksOf(user))[0]?.isBlocked === true)
    await person.starts()
    await person.hears(/I can do this/)
    expect((await linksOf(user))[0]?.isBlocked).toBe(false)
  })
})

describe('without a bot', () => {
  it('the screen is told so, and no code is made', async () => {
    await using plain = await anAppWithBot({ TELEGRAM_BOT_TOKEN: '' })
    const user = await aUser(plain.running)
    expect(await botOf(user)).toEqual({ state: 'none', name: null, problem: null })
    expect(await user.browser.post('/api/telegram/link', {})).toMatchObject({ status: 409 })
    expect((await user.browser.post('/api/telegram/webhook', {})).status).toBe(404)
    expect(plain.telegram.calls()).toEqual([])
  })

  it('that any process looks after, the screen names the remedy', { tags: 'thorough' }, async () => {
    await using alone = await anAppWithBot({ ROLES: 'web' })
    const user = await aUser(alone.running)
    await until('it is known', async () =>
      /whose ROLES include telegram/.test((await botOf(user)).problem ?? ''),
    )
    expect((await botOf(user)).state).toBe('unreachable')
  })

  it('that Telegram knows, the screen says what is wrong, and the log does not hold the token', async () => {
    const token = '7012345678:another_token_that_is_wrong_canary'
    await using wrong = await anAppWithBot({ TELEGRAM_BOT_TOKEN: token })
    const user = await aUser(wrong.running)
    await until('the refusal is known', async () => /does not accept/.test((await botOf(user)).problem ?? ''))
    expect((await botOf(user)).state).toBe('unreachable')
    expect(wrong.running.logged()).not.toContain('canary')
  })
})
