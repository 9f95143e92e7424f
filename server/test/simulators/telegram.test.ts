import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api, Bot, InlineKeyboard, InputFile } from 'grammy'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../until.ts'
import { startTelegramSimulator, type TelegramSimulator, type TelegramSimulatorOptions } from './telegram.ts'
import { DOCUMENTED_LIMITS, faster } from './telegram-limits.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aTelegram(
  options: TelegramSimulatorOptions = {},
): Promise<{ telegram: TelegramSimulator; api: Api }> {
  const telegram = await startTelegramSimulator(options)
  ends.push(() => telegram.close())
  return { telegram, api: new Api(telegram.token, { apiRoot: telegram.apiRoot }) }
}

/** grammY's own bot, polling, with what a test teaches it. */
async function aBot(telegram: TelegramSimulator, teach: (bot: Bot) => void): Promise<void> {
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.apiRoot } })
  teach(bot)
  const running = new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }).catch(resolve))
  await running
  ends.push(() => bot.stop())
}

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => /\((\d+: .*)\)$/s.exec(error.message)?.[1] ?? error.message,
  )

const button = (parts: object) => ({
  reply_markup: { inline_keyboard: [[{ text: 'Go', callback_data: 'go', ...parts }]] },
})

describe('a call that Telegram would not take', () => {
  it('is refused with its words', async () => {
    const { telegram, api } = await aTelegram()
    const ann = telegram.person({ firstName: 'Ann', hasStarted: true })
    const stranger = telegram.person({ firstName: 'Eve' })
    const blocker = telegram.person({ firstName: 'Bob', hasStarted: true })
    blocker.blocks()
    const { message_id: said } = await api.sendMessage(ann.id, 'Hello', button({}))
    const own = await ann.says('Hi')
    const big = await ann.sendsFile('big.csv', '', { size: 21 * 1024 * 1024 })
    const send = (text: string, other: object = {}) => outcomeOf(api.sendMessage(ann.id, text, other))
    const html = (text: string) => send(text, { parse_mode: 'HTML' })
    const wrong = new Api('1:not_the_token', { apiRoot: telegram.apiRoot })

    expect({
      token: await outcomeOf(wrong.getMe()),
      method: await outcomeOf(api.raw.getMyName({})),
      nobody: await outcomeOf(api.sendMessage(12, 'Hi')),
      notStarted: await outcomeOf(api.sendMessage(stranger.id, 'Hi')),
      blocked: await outcomeOf(api.sendMessage(blocker.id, 'Hi')),
      misspelt: await send('Hi', { parsemode: 'HTML' }),
      empty: await html(' <b> </b>\n'),
      longest: await html(`<b>${'&lt;'.repeat(4096)}</b>`),
      tooLong: await send('x'.repeat(4097)),
      data: await send('Hi', button({ callback_data: 'é'.repeat(33) })),
      longestData: await send('Hi', button({ callback_data: 'é'.repeat(32) })),
      noData: await send('Hi', button({ callback_data: '' })),
      noWords: await send('Hi', button({ text: ' ' })),
      localLink: await send('Hi', { ...button({ callback_data: undefined, url: 'http://localhost:3000/' }) }),
      same: await outcomeOf(api.editMessageText(ann.id, said, 'Hello', button({}))),
      lessButtons: await outcomeOf(api.editMessageText(ann.id, said, 'Hello')),
      notOwn: await outcomeOf(api.editMessageText(ann.id, own.id, 'Hello')),
      gone: await outcomeOf(api.deleteMessage(ann.id, 1)),
      noQuery: await outcomeOf(api.answerCallbackQuery('1')),
      longAnswer: await outcomeOf(api.answerCallbackQuery('1', { text: 'x'.repeat(201) })),
      noReply: await send('Hi', { reply_parameters: { message_id: 1 } }),
      commands: await outcomeOf(api.setMyCommands([{ command: 'Stats', description: 'x' }])),
      file: await outcomeOf(api.getFile('x')),
      bigFile: await outcomeOf(api.getFile(big.file?.id ?? '')),
      webhook: await outcomeOf(api.setWebhook('http://mail.example.com/')),
      port: await outcomeOf(api.setWebhook('https://mail.example.com:3000/')),
    }).toMatchInlineSnapshot(`
      {
        "bigFile": "400: Bad Request: file is too big",
        "blocked": "403: Forbidden: bot was blocked by the user",
        "commands": "400: Bad Request: wrong argument: commands.0.command: Invalid string: must match pattern /^[a-z0-9_]{1,32}$/",
        "data": "400: Bad Request: BUTTON_DATA_INVALID",
        "empty": "400: Bad Request: message text is empty",
        "file": "400: Bad Request: wrong file_id or the file is temporarily unavailable",
        "gone": "400: Bad Request: message to delete not found",
        "lessButtons": "done",
        "localLink": "400: Bad Request: inline keyboard button URL 'http://localhost:3000/' is invalid: Wrong HTTP URL",
        "longAnswer": "400: Bad Request: MESSAGE_TOO_LONG",
        "longest": "done",
        "longestData": "done",
        "method": "404: Not Found: method not found",
        "misspelt": "400: Bad Request: wrong argument: sendMessage: Unrecognized key: "parsemode"",
        "noData": "400: Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        "noQuery": "400: Bad Request: query is too old and response timeout expired or query ID is invalid",
        "noReply": "400: Bad Request: message to be replied not found",
        "noWords": "400: Bad Request: can't parse inline keyboard button: the text of a button is empty",
        "nobody": "400: Bad Request: chat not found",
        "notOwn": "400: Bad Request: message can't be edited",
        "notStarted": "403: Forbidden: bot can't initiate conversation with a user",
        "port": "400: Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
        "same": "400: Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
        "token": "401: Unauthorized",
        "tooLong": "400: Bad Request: message is too long",
        "webhook": "400: Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
      }
    `)
  })

  it('names the place where its HTML breaks, and knows four names of characters', async () => {
    const { telegram, api } = await aTelegram()
    const ann = telegram.person({ firstName: 'Ann', hasStarted: true })
    const html = (text: string) => outcomeOf(api.sendMessage(ann.id, text, { parse_mode: 'HTML' }))
    const broken = [
      'é<p>',
      '<b>x',
      'x</b>',
      '<b><i>x</b></i>',
      '1 < 2',
      '<span>x</span>',
      '<a href="x',
      '<b>x</b',
    ]
    expect(await Promise.all(broken.map(html))).toMatchInlineSnapshot(`
      [
        "400: Bad Request: can't parse entities: Unsupported start tag "p" at byte offset 2",
        "400: Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"",
        "400: Bad Request: can't parse entities: Unexpected end tag at byte offset 1",
        "400: Bad Request: can't parse entities: Unmatched end tag at byte offset 7, expected "</i>", found "</b>"",
        "400: Bad Request: can't parse entities: Unsupported start tag "" at byte offset 2",
        "400: Bad Request: can't parse entities: Tag "span" must have class "tg-spoiler" at byte offset 0",
        "400: Bad Request: can't parse entities: Unclosed start tag at byte offset 0",
        "400: Bad Request: can't parse entities: Unclosed end tag at byte offset 4",
      ]
    `)
    await html(
      '<b>bold <i>both</i></b> <u>u</u> <s>s</s> <code>a &lt;b&gt; &amp; &quot;</code> &nbsp;&#8364;&#x1F4EF;\n' +
        '<pre><code class="language-ts">const</code></pre><a href="https://example.com/?a=1&amp;b=2">link</a> ' +
        '<a href="http://localhost/">none</a> <tg-spoiler>s</tg-spoiler><span class="tg-spoiler">t</span>' +
        '<blockquote expandable>q</blockquote><blockquote>r</blockquote>',
    )
    const [message] = ann.messages()
    expect(message?.text).toMatchInlineSnapshot(`
      "bold both u s a <b> & " &nbsp;€📯
      constlink none stqr"
    `)
    expect(message?.html).toMatchInlineSnapshot(`
      "<b>bold <i>both</i></b> <u>u</u> <s>s</s> <code>a &lt;b&gt; &amp; &quot;</code> &amp;nbsp;€📯
      <pre><code class="language-ts">const</code></pre><a href="https://example.com/?a=1&amp;b=2">link</a> none <tg-spoiler>s</tg-spoiler><tg-spoiler>t</tg-spoiler><blockquote expandable>q</blockquote><blockquote>r</blockquote>"
    `)
  })

  it('comes too fast: the burst passes, then it is told how long to wait', async () => {
    let time = 1_000_000
    const { telegram, api } = await aTelegram({ limits: DOCUMENTED_LIMITS, now: () => time })
    const people = Array.from({ length: 8 }, () => telegram.person({ firstName: 'P', hasStarted: true }))
    const [ann] = people
    if (!ann) throw new Error('nobody')
    const send = (to: number) => outcomeOf(api.sendMessage(to, 'Hi'))
    const all = async (calls: Promise<string>[]) => [...new Set(await Promise.all(calls))]
    expect(await all(Array.from({ length: 5 }, () => send(ann.id)))).toEqual(['done'])
    expect(await send(ann.id)).toBe('429: Too Many Requests: retry after 1')
    time += 1000
    expect(await send(ann.id)).toBe('done')
    expect(await all(people.slice(1).flatMap(({ id }) => Array.from({ length: 5 }, () => send(id))))).toEqual(
      ['done', '429: Too Many Requests: retry after 1'],
    )
    telegram.limit(faster(DOCUMENTED_LIMITS, 100))
    expect(await all(people.slice(1).map(({ id }) => send(id)))).toEqual(['done'])
  })
})

describe('updates', () => {
  it('come by long polls: held until one comes, repeated until confirmed, one poll at a time', async () => {
    const { telegram, api } = await aTelegram()
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
    const { telegram } = await aTelegram()
    const ann = telegram.person({ firstName: 'Ann' })
    const handled: [number, string | undefined][] = []
    await aBot(telegram, (bot) =>
      bot.on('message', ({ update, msg }) => void handled.push([update.update_id, msg.text])),
    )
    telegram.misdeliver({ times: 3, isShuffled: true })
    for (let number = 0; number < 10; number += 1) await ann.says(String(number))
    await until('all have come', async () => handled.length >= 30)
    for (let number = 0; number < 10; number += 1)
      expect(handled.filter(([, text]) => text === String(number)).length).toBeGreaterThanOrEqual(3)
    expect(new Set(handled.map(([id]) => id)).size).toBe(10)
    expect(handled.map(([id]) => id)).not.toEqual(handled.map(([id]) => id).toSorted())
    telegram.misdeliver({})
    telegram.restartUpdateIds()
    await ann.says('anew')
    await until('it has come', async () => handled.at(-1)?.[1] === 'anew')
    expect(handled.at(-1)?.[0]).toBeLessThan(2_000_000)
  })

  it('are posted to the webhook with its secret, again until it takes them', async () => {
    const posts: { secret: unknown; text: string }[] = []
    const answers = [500, 404]
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { message } = JSON.parse(Buffer.concat(chunks).toString())
      posts.push({ secret: request.headers['x-telegram-bot-api-secret-token'], text: message.text })
      response.writeHead(answers.shift() ?? 200).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    ends.push(async () => receiver.close())
    const webhookTo = new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)
    const { telegram, api } = await aTelegram({ webhookTo, repeatMs: 1 })
    const ann = telegram.person({ firstName: 'Ann' })
    await ann.says('before')
    await api.setWebhook('https://mail.example.com/hook', { secret_token: 'a-secret' })
    await until('taken at the third try', async () => posts.length === 3)
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

describe('people', () => {
  it('talk with a bot of grammY and see what it shows, as it stands now', async () => {
    const { telegram, api } = await aTelegram()
    const ann = telegram.person({ firstName: 'Ann', username: 'ann' })
    const files: string[] = []
    await aBot(telegram, (bot) => {
      const keys = new InlineKeyboard()
        .text('Pause', 'pause')
        .text('Cancel', 'cancel')
        .row()
        .url('Open', 'https://example.com')
      bot.command('start', (ctx) => ctx.reply(`Hello, ${ctx.match || 'stranger'}`))
      bot.command('stats', (ctx) =>
        ctx.reply('<b>12</b> sent\n1 < 2'.replace(' < ', ' &lt; '), {
          parse_mode: 'HTML',
          reply_markup: keys,
        }),
      )
      bot.callbackQuery('pause', async (ctx) => {
        await ctx.editMessageText('Paused at 12:34', {
          reply_markup: new InlineKeyboard().text('Resume', 'resume'),
        })
        await ctx.answerCallbackQuery('Paused')
      })
      bot.on('callback_query', (ctx) => ctx.answerCallbackQuery(`No: ${ctx.callbackQuery.data}`))
      bot.on('message:document', async (ctx) => {
        const { file_path: path } = await ctx.getFile()
        files.push(await (await fetch(`${telegram.apiRoot}/file/bot${telegram.token}/${path}`)).text())
        await ctx.replyWithDocument(new InputFile(Buffer.from('x'), 'answer.txt'), { caption: 'Read' })
      })
      bot.on('message:text', (ctx) => ctx.reply(`An answer to ${ctx.msg.reply_to_message?.text}`))
    })

    await ann.starts('CODE42')
    await ann.hears('Hello, CODE42')
    await ann.says('/stats')
    const card = await ann.hears(/12 sent/)
    expect(card).toMatchObject({ html: '<b>12</b> sent\n1 &lt; 2', buttons: [['Pause', 'Cancel'], ['Open']] })
    expect(await ann.presses('Pause')).toBe('Paused')
    await ann.hears(/^Paused/)
    expect(await ann.pressesForged(card.id, 'drop')).toBe('No: drop')
    await ann.repliesTo(card, 'Thanks')
    await ann.hears('An answer to Paused')
    await ann.sendsFile('list.csv', 'ann@example.com\n', { type: 'text/csv' })
    await ann.hears('Read')
    expect(files).toEqual(['ann@example.com\n'])
    expect(ann.transcript({ mask: [[/\d\d:\d\d/, 'TIME']] })).toMatchInlineSnapshot(`
      "Ann: /start CODE42
      Bot: Hello, CODE42
      Ann: /stats
      Bot: Paused at TIME
        [Resume]
      Ann presses [Pause]
        (Paused)
      Ann presses [forged drop]
        (No: drop)
      Ann: (to “Paused at TIME”) Thanks
      Bot: An answer to Paused at TIME
      Ann: <list.csv>
      Bot: <answer.txt> Read"
    `)

    const { file } = ann.messages().at(-1) ?? {}
    expect(file).toMatchObject({ name: 'answer.txt' })
    const group = telegram.group([ann], { title: 'Team' })
    const inGroup = group.as(ann)
    await inGroup.says('nothing for a bot')
    await inGroup.says('/stats')
    await inGroup.hears(/12 sent/)
    expect(inGroup.transcript().split('\n').slice(0, 3)).toEqual([
      'Ann: nothing for a bot',
      'Ann: /stats',
      'Bot: 12 sent',
    ])
    group.removesBot()
    expect(await outcomeOf(api.sendMessage(group.id, 'Hi'))).toBe(
      '403: Forbidden: bot was kicked from the group chat',
    )
  })

  it('are told about a chat in which they wait in vain', async () => {
    const { telegram } = await aTelegram()
    const ann = telegram.person({ firstName: 'Ann' })
    await ann.says('/stats')
    await expect(ann.hears(/12 sent/, { within: 50 })).rejects.toThrow(
      'Ann waited 50 ms in vain for /12 sent/; the chat:\nAnn: /stats',
    )
  })
})

describe('lies', () => {
  it('are told before or after the deed, and the ledger on the disk knows which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'telegram-'))
    ends.push(() => rm(folder, { recursive: true }))
    const ledgerFile = join(folder, 'ledger')
    const { telegram, api } = await aTelegram({ ledgerFile })
    const ann = telegram.person({ firstName: 'Ann', hasStarted: true })
    const impatient = new Api(telegram.token, { apiRoot: telegram.apiRoot, timeoutSeconds: 0.2 })
    telegram.lieNext(
      'sendMessage',
      { kind: 'rate-limit', retryAfter: 7 },
      { kind: 'answer', status: 500, description: 'Internal Server Error', when: 'before' },
      { kind: 'bad-gateway', when: 'after' },
      { kind: 'silence', when: 'after' },
      { kind: 'reset', when: 'before' },
      { kind: 'reset', when: 'after' },
      { kind: 'delay', ms: 20 },
      null,
    )
    const outcomes: string[] = []
    for (let number = 1; number <= 8; number += 1)
      outcomes.push(await outcomeOf(impatient.sendMessage(ann.id, String(number))))
    expect(outcomes).toMatchInlineSnapshot(`
      [
        "429: Too Many Requests: retry after 7",
        "500: Internal Server Error",
        "Network request for 'sendMessage' failed!",
        "Network request for 'sendMessage' failed!",
        "Network request for 'sendMessage' failed!",
        "Network request for 'sendMessage' failed!",
        "done",
        "done",
      ]
    `)
    expect(ann.messages().map(({ text }) => text)).toEqual(['3', '4', '6', '7', '8'])
    const lines = (await readFile(ledgerFile, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(
      telegram.ledger.map(({ outcome }) => outcome),
    )
    expect(telegram.calls('sendMessage').map(({ outcome }) => outcome)).toEqual([
      'ignored',
      'ignored',
      'done',
      'done',
      'ignored',
      'done',
      'done',
      'done',
    ])
    telegram.lieBy(({ number }) => (number % 2 === 0 ? { kind: 'rate-limit', retryAfter: 1 } : null))
    expect(await Promise.all([1, 2].map(() => outcomeOf(api.getMe())))).toContain('done')
  })
})
