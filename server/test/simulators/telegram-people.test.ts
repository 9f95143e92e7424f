import { InlineKeyboard, InputFile } from 'grammy'
import { describe, expect, it } from 'vitest'
import { aBot, aTelegram, outcomeOf } from './telegram-grammy.ts'

describe('people', () => {
  it('talk with a bot of grammY and see what it shows, as it stands now', async () => {
    await using started = await aTelegram()
    const { telegram, api } = started
    const ann = telegram.person({ firstName: 'Ann', username: 'ann' })
    const files: string[] = []
    await using _bot = await aBot(telegram, (bot) => {
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
    const [answered] = telegram.calls('answerCallbackQuery')
    expect(await outcomeOf(api.answerCallbackQuery(String(answered?.args['callback_query_id'])))).toMatch(
      /^400: Bad Request: query is too old/,
    )
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

  it('send a long text in pieces, cut as the client for Android cuts it', async () => {
    await using started = await aTelegram()
    const ann = started.telegram.person({ firstName: 'Ann', hasStarted: true })
    /** The lengths of the pieces, and what is left out where they meet. */
    const cut = async (text: string) => {
      const before = ann.messages().length
      await ann.says(text)
      const pieces = ann.messages().slice(before)
      return { lengths: pieces.map((piece) => piece.text.length), last: pieces.at(-1)?.text.slice(0, 3) }
    }
    const x = (count: number) => 'x'.repeat(count)
    expect(await cut(x(4096))).toEqual({ lengths: [4096], last: 'xxx' })
    // At the blank line rather than at what comes after it.
    const lines = `${x(3900)}\n\nab\ncd. ef ${x(4000)}`
    expect(await cut(lines)).toEqual({ lengths: [3900, 4010], last: 'ab\n' })
    // Of several lines at the first one that is near enough; what is further away is not looked at.
    expect(await cut(`${x(3900)}\nab\ncd. ef ${x(300)}`)).toEqual({ lengths: [3900, 310], last: 'ab\n' })
    expect(await cut(`${x(3700)}\n${x(200)} ${x(400)}`)).toEqual({ lengths: [3901, 400], last: 'xxx' })
    // After a sentence rather than at the last blank.
    expect(await cut(`${x(3899)}. ab ${x(300)}`)).toEqual({ lengths: [3900, 303], last: 'ab ' })
    // Where there is nothing to cut at, a sign is lost.
    expect(await cut(`${x(4096)}yab`)).toEqual({ lengths: [4096, 2], last: 'ab' })
  })

  it('are told about a chat in which they wait in vain', async () => {
    await using started = await aTelegram()
    const { telegram } = started
    const ann = telegram.person({ firstName: 'Ann' })
    await ann.says('/stats')
    await expect(ann.hears(/12 sent/, { within: 50 })).rejects.toThrow(
      'Ann waited 50 ms in vain for /12 sent/; the chat:\nAnn: /stats',
    )
  })
})
