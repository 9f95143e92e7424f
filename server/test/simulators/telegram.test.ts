import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Api } from 'grammy'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aStoppedClock } from '../stopped-clock.ts'
import { aTelegram, outcomeOf } from './telegram-grammy.ts'
import { DOCUMENTED_LIMITS, faster } from './telegram-limits.ts'

const button = (parts: object) => ({
  reply_markup: { inline_keyboard: [[{ text: 'Go', callback_data: 'go', ...parts }]] },
})

describe('a call that Telegram would not take', () => {
  it('is refused with its words', async () => {
    await using started = await aTelegram()
    const { telegram, api } = started
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
    await using started = await aTelegram()
    const { telegram, api } = started
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
    await using started = await aTelegram({ limits: DOCUMENTED_LIMITS, now: () => time })
    const { telegram, api } = started
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

describe('lies', () => {
  it('are told before or after the deed, and the ledger on the disk knows which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'telegram-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const ledgerFile = join(folder, 'ledger')
    await using started = await aTelegram({ ledgerFile })
    const { telegram, api } = started
    const ann = telegram.person({ firstName: 'Ann', hasStarted: true })
    /** Given up after the time that was set for it, once the message is there. */
    async function unanswered(): Promise<unknown> {
      using clock = aStoppedClock()
      const impatient = new Api(telegram.token, { apiRoot: telegram.apiRoot, timeoutSeconds: 0.2 })
      const sending = impatient.sendMessage(ann.id, '4')
      while (!ann.messages().some(({ text }) => text === '4')) await nextTurn()
      return Promise.all([sending, clock.pass(200)])
    }
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
      outcomes.push(await outcomeOf(number === 4 ? unanswered() : api.sendMessage(ann.id, String(number))))
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
