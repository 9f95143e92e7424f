import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkCode, TelegramBot, TelegramLinks } from '../../contract/telegram.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { anAppWithBot, type TelegramApp } from '../test/telegram.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

const linksOf = async ({ browser }: SignedIn): Promise<TelegramLinks> =>
  (await browser.get('/api/telegram/links')).json() as TelegramLinks

describe('linking', () => {
  it('is done by a code, typed or by the deep link, and is seen on the screen', async () => {
    const user = await aUser(app.running)
    const answer = (await user.browser.post('/api/telegram/link', {})).json() as LinkCode
    expect(answer.code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
    expect(answer.url).toBe(`https://t.me/${app.telegram.username}?start=${answer.code}`)
    const minutes = (Date.parse(answer.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9.8)
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
    const bot = (await user.browser.get('/api/telegram/bot')).json() as TelegramBot
    expect(bot).toEqual({ state: 'ready', name: app.telegram.username, problem: null })
  })
})
