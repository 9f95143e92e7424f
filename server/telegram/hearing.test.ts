import { describe, expect, it } from 'vitest'
import type { TelegramBot } from '../../contract/telegram.ts'
import type { SignedIn } from '../test/accounts.ts'
import { freshDatabase } from '../test/database.ts'
import { freePort } from '../test/free-port.ts'
import { ownTime } from '../test/own-time.ts'
import { aRunningApp } from '../test/running-app.ts'
import { DOCUMENTED_LIMITS } from '../test/simulators/telegram-limits.ts'
import { aLinkedChat, anAppWithBot, botEnv } from '../test/telegram.ts'
import { until } from '../test/until.ts'
import { TELEGRAM_PACE } from './calls.ts'

const SECRET = 'a_secret_of_more_than_128_bits_0123456789'
const botOf = async ({ browser }: SignedIn): Promise<TelegramBot> =>
  (await browser.get('/api/telegram/bot')).json() as TelegramBot

const sayings = (count: number): string[] => Array.from({ length: count }, (_, index) => `/nonsense${index}`)
const REFUSAL = /I do not understand this/

describe('what is said to the bot', () => {
  it('is heard once by several processes, though told three times and in any order', {
    tags: 'thorough',
  }, async () => {
    await using database = await freshDatabase()
    await using app = await anAppWithBot({}, { database })
    await using _second = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    const { person } = await aLinkedChat(app)
    app.telegram.misdeliver({ times: 3, isShuffled: true })
    for (const words of sayings(12)) await person.says(words)
    const answers = () => person.messages().filter(({ text }) => REFUSAL.test(text)).length
    await until('everything is answered', async () => answers() >= 12)
    await person.says('/help')
    await person.hears(/I can do this/)
    expect(answers()).toBe(12)
  })

  it('is heard by the other process when the one that listened is gone', { tags: 'thorough' }, async () => {
    await using database = await freshDatabase()
    await using app = await anAppWithBot({ ROLES: 'web' }, { database })
    const first = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    const { person } = await aLinkedChat(app)
    await using _second = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    await first[Symbol.asyncDispose]()
    await person.says('/help')
    await person.hears(/I can do this/)
  })

  it('is heard although the numbers of updates begin anew at a lower one', { tags: 'thorough' }, async () => {
    await using app = await anAppWithBot()
    const { person } = await aLinkedChat(app)
    app.telegram.restartUpdateIds()
    await person.says('/help')
    await person.hears(/I can do this/)
  })

  it('is kept whatever signs it holds, and keeps nobody else from being heard', {
    tags: 'thorough',
  }, async () => {
    await using app = await anAppWithBot()
    const { person } = await aLinkedChat(app)
    const eve = app.telegram.person({ firstName: 'Eve', hasStarted: true })
    for (const text of ['\\u0000', '\\\\u0000"', '\0', '\ud800', 'x'.repeat(4096)]) await eve.says(text)
    await person.says('/help')
    await person.hears(/I can do this/)
    const answers = () => eve.messages().filter(({ text }) => /is not linked/.test(text)).length
    await until('all of it is answered', async () => answers() === 5)
  })

  it('is answered in the end, whatever Telegram makes of the answer', { tags: 'thorough' }, async () => {
    await using app = await anAppWithBot()
    const { person } = await aLinkedChat(app)
    app.telegram.lieNext(
      'sendMessage',
      { kind: 'rate-limit', retryAfter: 1 },
      { kind: 'answer', status: 500, description: 'Internal Server Error', when: 'before' },
      { kind: 'reset', when: 'before' },
    )
    await person.says('/help')
    await person.hears(/I can do this/)
    expect(app.running.logged()).not.toContain(app.telegram.token.split(':')[1])
  })

  it('is heard again when Telegram is back, and the screen says meanwhile that it is away', async () => {
    await using app = await anAppWithBot()
    const { user, person } = await aLinkedChat(app)
    let isAway = true
    app.telegram.lieBy(({ method }) =>
      isAway && method !== 'sendMessage' ? { kind: 'reset', when: 'before' } : null,
    )
    // Whatever poll is open now is still an honest one: it hears this, and the next finds nobody.
    await person.says('/nonsense')
    await until('the screen says it', async () => /cannot be reached/.test((await botOf(user)).problem ?? ''))
    isAway = false
    await person.says('/help')
    await person.hears(/I can do this/)
    await until('the screen says so', async () => (await botOf(user)).state === 'ready')
  })

  it('keeps no process from ending, though Telegram answers nothing any more', {
    tags: 'thorough',
  }, async () => {
    await using database = await freshDatabase()
    await using app = await anAppWithBot({ ROLES: 'web' }, { database })
    const first = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    const { person } = await aLinkedChat(app)
    const isTried = (method: 'sendMessage' | 'getMe', count: number) => () =>
      Promise.resolve(app.telegram.calls(method).length > count)
    const [answers, greetings] = [
      app.telegram.calls('sendMessage').length,
      app.telegram.calls('getMe').length,
    ]
    // From the moment on at which she is answered: whichever call asks for what she says, it is told.
    app.telegram.lieBy(({ method }) =>
      method === 'getUpdates' && app.telegram.calls('sendMessage').length === answers
        ? null
        : { kind: 'silence', when: 'before' },
    )
    await person.says('/help')
    await until('it is being answered', isTried('sendMessage', answers))
    const second = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    const millisecondsToEnd = async (process: AsyncDisposable): Promise<number> => {
      const passed = ownTime()
      await process[Symbol.asyncDispose]()
      return passed()
    }
    expect(await millisecondsToEnd(first)).toBeLessThan(10_000)
    await until('the other one reaches for the bot', isTried('getMe', greetings))
    expect(await millisecondsToEnd(second)).toBeLessThan(10_000)
  })

  it('keeps to the pace that Telegram allows: nothing is refused for being too fast', {
    tags: 'thorough',
  }, async () => {
    await using app = await anAppWithBot(
      {},
      { simulator: { limits: DOCUMENTED_LIMITS }, botPace: TELEGRAM_PACE },
    )
    const { person } = await aLinkedChat(app)
    for (const words of sayings(8)) await person.says(words)
    await until(
      'all is answered',
      async () => person.messages().filter(({ text }) => REFUSAL.test(text)).length === 8,
    )
    expect(app.telegram.ledger.filter(({ description }) => /Too Many/.test(description ?? ''))).toEqual([])
  })
})

describe('the webhook', () => {
  it('takes what comes with the secret, once, and nothing without it', async () => {
    const port = await freePort()
    await using app = await anAppWithBot(
      { TELEGRAM_WEBHOOK_SECRET: SECRET, PUBLIC_URL: 'https://mail.example.test' },
      { simulator: { webhookTo: new URL(`http://127.0.0.1:${port}`) } },
    )
    await app.running.app.http.listen({ port, host: '127.0.0.1' })
    const { person } = await aLinkedChat(app)
    app.telegram.misdeliver({ times: 3 })
    await person.says('/nonsense')
    await person.hears(REFUSAL)
    await person.says('/help')
    await person.hears(/I can do this/)
    expect(person.messages().filter(({ text }) => REFUSAL.test(text))).toHaveLength(1)
    expect(app.telegram.calls('getUpdates')).toEqual([])

    const forged = {
      update_id: 1,
      message: {
        message_id: 1,
        date: 1,
        text: '/help',
        from: person.user,
        chat: { id: person.user.id, type: 'private' },
      },
    }
    const browser = app.running.browser()
    const attempts = await Promise.all(
      [
        {},
        { 'x-telegram-bot-api-secret-token': '' },
        { 'x-telegram-bot-api-secret-token': SECRET.slice(1) },
      ].map((headers) => browser.post('/api/telegram/webhook', forged, headers)),
    )
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401])
    const kept = await app.running.db
      .selectFrom('telegram_updates')
      .where('update_id', '=', '1')
      .selectAll()
      .execute()
    expect(kept).toEqual([])
    const broken = await browser.post('/api/telegram/webhook', [], {
      'x-telegram-bot-api-secret-token': SECRET,
    })
    expect(broken.status).toBe(400)
  })
})

describe('a stranger', () => {
  it('who writes without end keeps nobody waiting, not even in company', { tags: 'thorough' }, async () => {
    const botPace = { ...TELEGRAM_PACE, chat: { everyMs: 800, atOnce: 1 } }
    await using app = await anAppWithBot({}, { botPace })
    const { person } = await aLinkedChat(app)
    const strangers = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
      app.telegram.person({ firstName: `Eve ${number}`, hasStarted: true }),
    )
    const answers = () => strangers.map(({ transcript }) => transcript().match(/is not linked/g)?.length ?? 0)
    const sum = () => answers().reduce((one, other) => one + other)
    const heard = () =>
      app.running.db
        .selectFrom('telegram_updates')
        .select('update_id')
        .where('telegram_user_id', '=', String(person.user.id))
        .execute()
    const start = performance.now()
    for (const words of sayings(20)) for (const stranger of strangers) await stranger.says(words)
    const before = (await heard()).length
    await person.says('/help')
    await until('it is heard', async () => (await heard()).length > before)
    const whenHeard = sum()
    await person.hears(/I can do this/)
    // Those who were being answered already, and perhaps some more of the eighty.
    expect(sum() - whenHeard).toBeLessThan(20)
    await until('each has ten answers', async () => answers().every((count) => count >= 10), 60_000)
    // Ten, and then one every ten seconds.
    expect(Math.max(...answers())).toBeLessThanOrEqual(11 + (performance.now() - start) / 10_000)
  })

  it('gets nowhere in a group, by a forwarded button or a chat that is not theirs', async () => {
    await using app = await anAppWithBot()
    const { user, person } = await aLinkedChat(app)
    const eve = app.telegram.person({ firstName: 'Eve', hasStarted: true })
    await person.says('/unlink')
    const question = await person.hears(/Unlink this Telegram account/)

    expect(await eve.pressesForged(question.id, 'unlink', { chatId: person.user.id })).toBe('')
    expect(await eve.pressesForged(question.id, 'unlink')).toMatch(/not linked/)
    const group = app.telegram.group([person, eve])
    await group.as(person).says('/unlink')
    await person.says('/help')
    await person.hears(/I can do this/)
    expect(
      group
        .as(eve)
        .messages()
        .filter(({ isFromBot }) => isFromBot),
    ).toEqual([])
    expect((await user.browser.get('/api/telegram/links')).json()).toHaveLength(1)
  })
})
