import { InlineKeyboard } from 'grammy'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { aBot, aTelegram } from '../server/test/simulators/telegram-grammy.ts'
import { axe } from './axe.ts'
import { findOverflow, findSmallTargets } from './fingers.ts'
import { eventually, test as it, PATIENCE_MS, screenshot } from './harness.ts'
import { looksOf, wear } from './looks.ts'
import { watch } from './watch.ts'

const PLAYERS = [{ firstName: 'Ann' }, { firstName: 'Bob' }]
const HOSTILE = '<img src=x onerror=alert(1)> & <b>'

const messages = (page: Page) => page.getByRole('log').getByRole('listitem')
const newest = (page: Page) => messages(page).last()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

describe('the page to chat with the bot', () => {
  it('carries a whole conversation, with buttons, edits, files and replies, and is accessible', {
    tags: 'thorough',
  }, async ({ browser }) => {
    await using started = await aTelegram({ players: PLAYERS })
    const { telegram, api } = started
    await api.setMyCommands([
      { command: 'card', description: 'Shows a card' },
      { command: 'help', description: 'What the bot can do' },
    ])
    await using _bot = await aBot(telegram, (bot) => {
      const keys = new InlineKeyboard()
        .text('Pause', 'pause')
        .text('Why?', 'why')
        .row()
        .url('Open', 'https://example.com')
      bot.command('start', (ctx) => ctx.reply(`Hello ${ctx.from?.first_name}, code ${ctx.match || 'none'}`))
      bot.command('card', (ctx) =>
        ctx.reply(
          '<b>12</b> of <code>20</code>, <i>see</i> <a href="https://example.com">there</a>\n<blockquote>q</blockquote>',
          {
            parse_mode: 'HTML',
            reply_markup: keys,
          },
        ),
      )
      bot.callbackQuery('pause', async (ctx) => {
        await ctx.editMessageText('Paused', { reply_markup: new InlineKeyboard().text('Resume', 'resume') })
        await ctx.answerCallbackQuery('It rests now')
      })
      bot.callbackQuery('why', (ctx) => ctx.answerCallbackQuery({ text: 'Because', show_alert: true }))
      bot.on('message:document', (ctx) => ctx.reply(`Got ${ctx.msg.document.file_name}`))
      bot.on('message:text', (ctx) =>
        ctx.reply(`${ctx.msg.reply_to_message?.text ?? 'nothing'} ← ${ctx.msg.text}`),
      )
    })
    const context = await browser.newContext({ baseURL: telegram.url.origin, locale: 'en-US' })
    const watching = watch(context, telegram.url.origin)
    const page = await context.newPage()
    context.setDefaultTimeout(PATIENCE_MS)

    await page.clock.install()
    await page.goto('/chat?start=CODE-42')
    await page.getByText('Hello Ann, code CODE-42').waitFor()
    await page.reload()
    await button(page, '/card').click()
    await page.getByText('12 of 20, see there').waitFor()
    expect(await newest(page).locator('.text').innerHTML()).toContain(
      '<b>12</b> of <code>20</code>, <i>see</i> ',
    )
    await button(page, 'Why?').click()
    await page.getByRole('dialog').getByText('Because').waitFor()
    await page.keyboard.press('Enter')
    // What the bot says to a press goes after four seconds; none pass until it has been read.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    await button(page, 'Pause').focus()
    await page.keyboard.press('Enter')
    await button(page, 'Resume').waitFor()
    await page.getByRole('status').getByText('It rests now').waitFor()
    await page.clock.resume()
    expect(await button(page, 'Resume').evaluate((one) => one === document.activeElement)).toBe(true)

    await newest(page).getByRole('button', { name: 'Reply' }).click()
    await write(page, HOSTILE)
    await page.getByText(`Paused ← ${HOSTILE}`).waitFor()
    await page
      .getByLabel('File to send')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a@example.com') })
    await page.getByText('Got list.csv').waitFor()
    expect(telegram.players[0]?.transcript()).toMatchInlineSnapshot(`
      "Ann: /start CODE-42
      Bot: Hello Ann, code CODE-42
      Ann: /card
      Bot: Paused
        [Resume]
      Ann presses [Why?]
        (Because)
      Ann presses [Pause]
        (It rests now)
      Ann: (to “Paused”) <img src=x onerror=alert(1)> & <b>
      Bot: Paused ← <img src=x onerror=alert(1)> & <b>
      Ann: <list.csv>
      Bot: Got list.csv"
    `)

    for (const look of looksOf({})) {
      await wear(page, look)
      expect((await axe(page)).join('\n'), look.name).toBe('')
      expect(await findOverflow(page), look.name).toEqual([])
      expect(await findSmallTargets(page), look.name).toEqual([])
      await screenshot(page, `telegram chat ${look.name}`)
    }

    await button(page, 'Bob').click()
    await page.getByText('Nothing has been said yet').waitFor()
    expect((await axe(page)).join('\n')).toBe('')
    await screenshot(page, 'telegram chat empty')
    await page.getByLabel('Link code').fill('CODE-43')
    await page.keyboard.press('Enter')
    await page.getByText('Hello Bob, code CODE-43').waitFor()
    await button(page, 'Block the bot').click()
    await button(page, 'Start').waitFor()
    await button(page, 'Start').click()
    await eventually(() => newest(page).locator('.text').innerText()).toBe('Hello Bob, code none')
    expect(await watching.complaints()).toEqual([])
    await context.close()
  })
})
