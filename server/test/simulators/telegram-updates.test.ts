import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onLoopback, readBody } from '../loopback.ts'
import { until } from '../until.ts'
import { aBot, aTelegram, outcomeOf } from './telegram-grammy.ts'

describe('updates', () => {
  it('come by long polls: held until one comes, repeated until confirmed, one poll at a time', async () => {
    await using started = await aTelegram()
    const { telegram, api } = started
    const ann = telegram.person({ firstName: 'Ann' })
    const poll = (args: object) => api.getUpdates({ timeout: 20, ...args })
    const waiting = poll({})
    await until('the poll has come', async () => telegram.calls('getUpdates').length === 1)
    await ann.says('one')
    const [one] = await waiting
    expect(one).toMatchObject({
      message: { text: 'one', from: { first_name: 'Ann' }, chat: { type: 'private' } },
    })
    expect(one?.message?.from?.id).toBeGreaterThan(2 ** 32)
    await ann.says('two')
    expect(await poll({ limit: 1 })).toEqual([one])
    const offset = (one?.update_id ?? 0) + 1
    expect(await poll({ offset })).toMatchObject([{ update_id: offset, message: { text: 'two' } }])

    const first = outcomeOf(poll({ offset: offset + 1 }))
    await until('it waits', async () => telegram.calls('getUpdates').length === 4)
    const hungUp = new AbortController()
    const pollUrl = `${telegram.apiRoot}/bot${telegram.token}/getUpdates?timeout=20&offset=${offset + 1}`
    const second = outcomeOf(fetch(pollUrl, { signal: hungUp.signal }))
    expect(await first).toMatch(/^409: Conflict: terminated by other getUpdates request/)
    hungUp.abort()
    await second
    await ann.edits(await ann.says('three'), 'tree')
    await ann.sends('sticker')
    expect(
      (await poll({ offset: offset + 1, allowed_updates: ['message'] })).map(
        ({ update_id: _id, ...u }) => Object.keys(u)[0],
      ),
    ).toEqual(['message', 'edited_message', 'message'])
    ann.blocks()
    expect(
      await poll({ offset: offset + 9, timeout: 0 }),
      'kinds that nobody asked for are not kept',
    ).toEqual([])
    await api.setWebhook('https://mail.example.com/')
    expect(await outcomeOf(poll({}))).toMatch(
      /^409: Conflict: can't use getUpdates method while webhook is active/,
    )
  })

  it('come three times, in no order and with ids that begin anew, where that is asked for; none is lost', async () => {
    await using started = await aTelegram()
    const { telegram } = started
    const ann = telegram.person({ firstName: 'Ann' })
    const handled: [number, string | undefined][] = []
    await using _bot = await aBot(telegram, (bot) =>
      bot.on('message', ({ update, msg }) => void handled.push([update.update_id, msg.text])),
    )
    telegram.misdeliver({ times: 3, isShuffled: true })
    const numbers = Array.from({ length: 10 }, (_, index) => index)
    for (const number of numbers) await ann.says(String(number))
    const timesOf = (number: number) => handled.filter(([, text]) => text === String(number)).length
    await until('each has come thrice', async () => numbers.every((number) => timesOf(number) >= 3))
    expect(new Set(handled.map(([id]) => id)).size).toBe(10)
    expect(handled.map(([id]) => id)).not.toEqual(handled.map(([id]) => id).toSorted())
    telegram.misdeliver({})
    telegram.restartUpdateIds()
    await ann.says('anew')
    const isAnew = ([, text]: [number, string | undefined]) => text === 'anew'
    await until('it has come', async () => handled.some(isAnew))
    expect(handled.find(isAnew)?.[0]).toBeLessThan(2_000_000)
  })

  it('are posted to the webhook with its secret, again until it takes them', async () => {
    const posts: { secret: unknown; text: string }[] = []
    const answers = [500, 404]
    const receiver = createServer(async (request, response) => {
      const { message } = JSON.parse((await readBody(request)).toString())
      posts.push({ secret: request.headers['x-telegram-bot-api-secret-token'], text: message.text })
      response.writeHead(answers.shift() ?? 200).end()
    })
    const { url: webhookTo, close } = await onLoopback(receiver)
    onTestFinished(close)
    await using started = await aTelegram({ webhookTo, repeatMs: 1 })
    const { telegram, api } = started
    const ann = telegram.person({ firstName: 'Ann' })
    await ann.says('before')
    await api.setWebhook('https://mail.example.com/hook', { secret_token: 'a-secret' })
    await until('taken at the third try', async () => telegram.posts.length === 3)
    expect(telegram.posts.map(({ status }) => status)).toEqual([500, 404, 200])
    await ann.says('after')
    await until('brought', async () => posts.length === 4)
    expect(posts.map(({ text }) => text)).toEqual(['before', 'before', 'before', 'after'])
    expect(new Set(posts.map(({ secret }) => secret))).toEqual(new Set(['a-secret']))
    await until('nothing is left', async () => (await api.getWebhookInfo()).pending_update_count === 0)
    expect(await api.getWebhookInfo()).toMatchObject({
      url: 'https://mail.example.com/hook',
      last_error_message: 'Wrong response from the webhook: 404',
    })
    await api.deleteWebhook()
    await ann.says('to be polled')
    expect(await api.getUpdates()).toMatchObject([{ message: { text: 'to be polled' } }])
  })
})
