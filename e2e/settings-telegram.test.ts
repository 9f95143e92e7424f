import type { Page } from 'playwright-core'
import { encode } from 'uqr'
import { describe, expect } from 'vitest'
import type { TelegramBot } from '../contract/telegram.ts'
import { until } from '../server/test/until.ts'
import { aMember, eventually } from './harness.ts'
import { answerWith, button, isFocused, screen, tryAgain } from './steps.ts'
import { BOT_NAME, telegramJourney as it, linked, linksOf, telegramTest } from './telegram-journey.ts'
import {
  BOT,
  CODE,
  codeField,
  focusedWords,
  generateButton,
  LINK,
  LINKS,
  telegramCard,
} from './telegram-steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'
import { expectToast, toastLines } from './toasts.ts'

/** What a camera sees: the dark modules of the code. */
async function modulesOf(page: Page): Promise<boolean[][]> {
  const code = telegramCard(page).getByRole('img', {
    name: `QR code that opens ${BOT_NAME} in Telegram with this code`,
  })
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2])
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const path = (await code.locator('path').getAttribute('d')) ?? ''
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  return modules
}

describe('the Telegram card', () => {
  it('links an account by the code, says so by itself, and also when it is unlinked in Telegram', async ({
    page,
    owner,
    ann,
  }) => {
    await page.goto('/settings')
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === LINK)
    await generateButton(page).click()
    const request = await asked
    expect(request.postDataJSON()).toEqual({})
    expect(new URL(request.url()).searchParams.get('timeZone')).toMatch(/^\w+/)
    await expectToast(page, 'Code Generated', `Send it to ${BOT_NAME} within 10 minutes.`)
    await telegramCard(page).getByText('Expires in 10 minutes', { exact: true }).waitFor()

    const code = await codeField(page).inputValue()
    expect(code).toMatch(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/)
    expect(await focusedWords(page)).toBe(code)
    const url = `https://t.me/postrider_test_bot?start=${code}`
    const open = page.getByRole('link', { name: 'Open in Telegram in a new tab' })
    expect(await open.getAttribute('href')).toBe(url)
    expect(await open.getAttribute('target')).toBe('_blank')
    expect(await open.getAttribute('rel')).toBe('noopener')
    expect(await modulesOf(page)).toEqual(encode(url, { ecc: 'M', border: 4 }).data)
    await telegramCard(page).getByText(`Or send /link ${code} to ${BOT_NAME} yourself.`).waitFor()

    await open.focus()
    await ann.starts(code)
    const said = telegramCard(page).getByRole('status')
    await eventually(() => said.innerText()).toContain('Your account is linked.')
    expect(await codeField(page).count()).toBe(0)
    await telegramCard(page).getByText('Ann @ann_keller').waitFor()
    expect(await focusedWords(page)).toContain('Linked since')
    expect(await button(page, 'Unlink to Change Account').isDisabled()).toBe(true)
    expect(await linksOf(owner)).toMatchObject([{ telegramFirstName: 'Ann', telegramUsername: 'ann_keller' }])

    ann.blocks()
    await telegramCard(page).getByRole('alert').getByText('Alerts do not arrive').waitFor()
    await ann.starts()
    await telegramCard(page).getByRole('alert').waitFor({ state: 'detached' })

    await button(page, 'Unlink').focus()
    await ann.says('/unlink')
    await ann.presses('Unlink')
    await eventually(() => said.innerText()).toContain('Your Telegram account is no longer linked.')
    expect(await focusedWords(page)).toBe('Generate Link Code')
  })

  it('unlinks once that is confirmed, and says when it could not', async ({
    page,
    owner,
    ann,
    expectRefusal,
  }) => {
    await linked(owner, ann)
    await page.goto('/settings')
    await button(page, 'Unlink').click()
    const dialog = page.getByRole('dialog', { name: 'Unlink Ann?' })
    await dialog.getByRole('button', { name: 'Keep it linked' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => focusedWords(page)).toBe('Unlink')

    const path = `${LINK}/${ann.user.id}`
    expectRefusal(path)
    await answerWith(page, path, 503, 'The database cannot be reached')
    await button(page, 'Unlink').click()
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await expectToast(page, 'Failed to Unlink', '503: The database cannot be reached')
    await dialog.waitFor({ state: 'detached' })
    expect(await linksOf(owner)).toHaveLength(1)

    await page.unroute(`**${path}`)
    await button(page, 'Unlink').click()
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await expectToast(
      page,
      'Telegram Unlinked',
      'Ann gets no more alerts and can no longer run your campaigns.',
    )
    await eventually(() => focusedWords(page)).toBe('Generate Link Code')
    // It is no news to whoever did it.
    expect(await telegramCard(page).getByRole('status').innerText()).toBe('')
    expect(await linksOf(owner)).toEqual([])
  })

  it('asks whether to unlink the account that is there, and not the next one by itself', {
    tags: 'thorough',
  }, async ({ page, owner, ann }) => {
    await linked(owner, ann)
    await page.goto('/settings')
    await button(page, 'Unlink').click()
    const dialog = page.getByRole('dialog', { name: 'Unlink Ann?' })
    await dialog.waitFor()
    await ann.says('/unlink')
    await ann.presses('Unlink')
    await dialog.waitFor({ state: 'detached' })

    await generateButton(page).click()
    await ann.starts(await codeField(page).inputValue())
    await telegramCard(page).getByText('Your account is linked.').waitFor()
    expect(await dialog.count()).toBe(0)
    await button(page, 'Unlink').click()
    await dialog.waitFor()
  })

  it('copies the code, counts its minutes down, offers a new one when it has expired, and takes one back', async ({
    page,
    context,
    owner: _signedIn,
    ann,
    expectRefusal,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const card = telegramCard(page)
    const isThere = async (words: string) => (await card.getByText(words, { exact: true }).count()) === 1
    await openWithStoppedClock(page, '/settings', generateButton(page))

    expectRefusal(LINK)
    await answerWith(page, `${LINK}?*`, 429, 'Too many codes. Try again in 1 minute')
    await generateButton(page).click()
    await passTimeUntil(page, async () => (await toastLines(page)).length > 0)
    await expectToast(page, 'Failed to Generate Code', '429: Too many codes. Try again in 1 minute')
    await page.unroute(`**${LINK}?*`)
    await passTimeUntil(page, async () => (await generateButton(page).count()) === 1)

    await generateButton(page).click()
    await passTimeUntil(page, () => isThere('Expires in 10 minutes'))
    const first = await codeField(page).inputValue()
    await button(page, 'Copy').click()
    const copied = button(page, 'Copied')
    await passTimeUntil(page, async () => (await copied.locator('svg.lucide-check').count()) === 1)
    await expectToast(page, 'Code Copied', `Send /link and then the code to ${BOT_NAME}.`)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
    await passTime(page, 1900)
    expect(await copied.count()).toBe(1)
    await passTime(page, 100)
    await eventually(() => button(page, 'Copy').count()).toBe(1)

    await passTime(page, 60_000)
    await eventually(() => isThere('Expires in 9 minutes')).toBe(true)
    // As after a sleep: timers that were due come once.
    await page.clock.fastForward(8 * 60_000)
    await eventually(() => isThere('Expires in 1 minute')).toBe(true)
    await passTime(page, 60_000)
    await eventually(() => card.getByText('This code has expired.').count()).toBe(1)
    expect(await focusedWords(page)).toBe('Generate New Code')
    expect(await page.getByRole('link', { name: 'Open in Telegram' }).count()).toBe(0)

    await button(page, 'Generate New Code').click()
    await passTimeUntil(page, () => isThere('Expires in 10 minutes'))
    const second = await codeField(page).inputValue()
    expect(second).not.toBe(first)
    const dropped = page.waitForResponse((response) => new URL(response.url()).pathname === CODE)
    await button(page, 'Cancel').click()
    await passTimeUntil(page, async () => (await generateButton(page).count()) === 1)
    expect(await focusedWords(page)).toBe('Generate Link Code')
    expect((await dropped).status()).toBe(204)
    for (const code of [first, second]) {
      await ann.says(`/link ${code}`)
      await ann.hears('I do not know this code')
    }
  })

  it('says when it could not be loaded, tries again, and says when a code could not be taken back', {
    tags: 'thorough',
  }, async ({ page, owner: _signedIn, expectRefusal }) => {
    expectRefusal(LINKS)
    await answerWith(page, LINKS, 503, 'The database cannot be reached')
    await page.goto('/settings')
    await telegramCard(page).getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, LINKS, telegramCard(page))
    await generateButton(page).click()
    expectRefusal(CODE)
    await answerWith(page, CODE, 503, 'The database cannot be reached')
    await button(page, 'Cancel').click()
    await expectToast(page, 'Failed to Cancel', 'The code can still be used until it expires.')
    await generateButton(page).waitFor()
  })

  // Alone, for the bot is everybody's.
  telegramTest(
    'says why the bot cannot be reached, and looks again',
    { tags: 'thorough' },
    async ({ page, site, telegram, owner: _signedIn, ann }) => {
      const other = await aMember(site)
      await linked(other, ann)
      telegram.lieBy(({ method }) =>
        method === 'getUpdates' || method === 'getMe'
          ? { kind: 'answer', status: 401, description: 'Unauthorized', when: 'before' }
          : null,
      )
      // The question that is under way ends with what she says; the next one is refused.
      await ann.says('/help')
      const client = await other.client()
      const bot = async () => (await client.get(BOT)).json() as TelegramBot
      await eventually(async () => (await bot()).state).toBe('unreachable')

      await page.goto('/settings')
      const alert = telegramCard(page).getByRole('alert')
      await alert.getByText('The Telegram bot cannot be reached').waitFor()
      await alert.getByText((await bot()).problem ?? 'no problem is named').waitFor()
      expect(await generateButton(page).count()).toBe(0)
      telegram.lieBy(() => null)
      // The bot asks Telegram again by itself, after half a minute at the latest.
      await until('the bot is ready', async () => (await bot()).state === 'ready', 60_000)
      await button(page, 'Try again').click()
      await generateButton(page).waitFor()
      expect(await alert.count()).toBe(0)
      await eventually(() => isFocused(page, screen(page))).toBe(true)
    },
  )
})
