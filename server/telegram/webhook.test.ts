import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Api } from 'grammy'
import { expect, it, onTestFinished } from 'vitest'
import type { TelegramBot } from '../../contract/telegram.ts'
import { aUser } from '../test/accounts.ts'
import { freePort } from '../test/free-port.ts'
import { originOf } from '../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { anAppWithBot } from '../test/telegram.ts'
import { until } from '../test/until.ts'

const ADDRESS = 'https://mail.example.test/api/telegram/webhook'

/** Telegram calls here, as soon as somebody listens. */
async function anAppThatIsCalled() {
  const port = await freePort()
  const app = await anAppWithBot(
    {
      TELEGRAM_WEBHOOK_SECRET: 'a_secret_of_more_than_128_bits_0123456789',
      PUBLIC_URL: 'https://mail.example.test',
    },
    { simulator: { webhookTo: new URL(`http://127.0.0.1:${port}`) } },
  )
  const { browser } = await aUser(app.running)
  const bot = async () => (await browser.get('/api/telegram/bot')).json() as TelegramBot
  await until('the bot is ready', async () => (await bot()).state === 'ready')
  return {
    ...app,
    bot,
    listen: () => app.running.app.http.listen({ port, host: '127.0.0.1' }),
    /** What another program says to Telegram by the same token. */
    other: new Api(app.telegram.token, { apiRoot: app.telegram.apiRoot }),
  }
}

it('a webhook that another program has removed is set again, and what was said meanwhile is heard', async () => {
  await using app = await anAppThatIsCalled()
  await app.listen()
  await app.other.deleteWebhook()
  const eve = app.telegram.person({ firstName: 'Eve', hasStarted: true })
  await eve.says('/help')
  await eve.hears('not linked to Postrider yet')
  expect((await app.other.getWebhookInfo()).url).toBe(ADDRESS)
})

it('a webhook that another program has set is a problem on the screen, and is taken back after a while', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppThatIsCalled()
  await until('the screen says it', async () => {
    await app.other.setWebhook('https://staging.example.test/hook')
    return /Another program/.test((await app.bot()).problem ?? '')
  })
  await until('it is set again', async () => (await app.other.getWebhookInfo()).url === ADDRESS)
  await until('the screen says so', async () => (await app.bot()).state === 'ready')
})

it('a webhook that Telegram cannot call is a problem on the screen until what waited has come', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppThatIsCalled()
  const eve = app.telegram.person({ firstName: 'Eve', hasStarted: true })
  await eve.says('/help')
  await until('the screen says it', async () => (await app.bot()).state === 'unreachable')
  expect((await app.bot()).problem).toBe(
    `Telegram cannot deliver what is said to the bot to ${ADDRESS}: Connection failed`,
  )
  await app.listen()
  await eve.hears('not linked to Postrider yet')
  await until('the screen says so', async () => (await app.bot()).state === 'ready')
})

/** The answer to a call that announces a body, and brings none of it. */
async function answerWithoutBody(running: RunningApp): Promise<number | undefined> {
  const headers = {
    'content-type': 'application/json',
    'content-length': '500000',
    'x-telegram-bot-api-secret-token': 'a_guess',
  }
  const address = `${await originOf(running)}/api/telegram/webhook`
  const call = request(address, { method: 'POST', agent: false, headers }).on('error', () => {})
  onTestFinished(() => void call.destroy())
  call.flushHeaders()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return answer.statusCode
}

it('a call without the secret is answered before a byte of it is read', async () => {
  await using app = await anAppThatIsCalled()
  expect(await answerWithoutBody(app.running)).toBe(401)
})

it('where there is no bot, a call is answered before a byte of it is read', async () => {
  await using running = await aRunningApp()
  expect(await answerWithoutBody(running)).toBe(404)
})
