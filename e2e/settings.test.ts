import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { aMember, eventually, journey as it, PHONE } from './harness.ts'
import { choose, fillSender, payloadOf, SENDER, SETTINGS, saveButton, testButton } from './settings-steps.ts'
import { answerWith, button, field, heading, holdBack, tryAgain } from './steps.ts'
import { LINKS, telegramCard } from './telegram-steps.ts'
import { expectToast } from './toasts.ts'

const CARDS = ['Email Provider Configuration', 'Sender Information', 'Telegram Bot Integration']

const isUncovered = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused) return false
    const { left, right, top, bottom } = focused.getBoundingClientRect()
    const seen = (y: number) => focused.contains(document.elementFromPoint((left + right) / 2, y))
    return seen(top + 2) && seen(bottom - 2)
  })

describe('the Settings screen', () => {
  it('has three cards, and the product’s own provider to begin with', async ({ memberPage: page }) => {
    await page.goto('/settings')
    await heading(page, 'Settings').waitFor()
    await eventually(() => page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(CARDS)
    expect(await field(page, 'Email Provider').inputValue()).toBe('resend')
    await page.getByText('this installation’s own account').waitFor()
    expect(await page.getByLabel(/Key|Host|Password|Region/).count()).toBe(0)
  })

  for (const width of [1280, PHONE.width])
    it(`stands still at ${width} px when what was loading arrives`, { tags: 'thorough' }, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      const member = await aMember(site)
      await member.signIn(page.context())
      const held = [await holdBack(page, SETTINGS), await holdBack(page, LINKS)]
      await page.goto('/settings')
      for (const what of ['settings', 'Telegram link'])
        await page
          .getByRole('status')
          .filter({ hasText: `Loading your ${what}` })
          .waitFor()
      const boxes = () =>
        page.locator('main section').evaluateAll((cards) =>
          cards.map((card) => {
            const { top, height } = card.getBoundingClientRect()
            return [Math.round(top), Math.round(height)]
          }),
        )
      const before = await boxes()
      for (const letThrough of held) await letThrough()
      await field(page, 'Your inbox address').waitFor()
      await telegramCard(page).getByText('This installation has no Telegram bot.').waitFor()
      expect(before.length).toBe(CARDS.length)
      expect(await boxes()).toEqual(before)
    })

  it('never covers what the keyboard has reached', { tags: 'thorough' }, async ({ memberPage: page }) => {
    await page.setViewportSize({ width: PHONE.width, height: 480 })
    await page.goto('/settings')
    await choose(page, 'SMTP')
    await fillSender(page)
    await field(page, 'Email Provider').focus()
    for (const label of ['SMTP Host', 'SMTP Port', 'SMTP Username', 'SMTP Password']) {
      await eventually(() => isUncovered(page)).toBe(true)
      await page.keyboard.press('Tab')
      expect(await field(page, label).and(page.locator(':focus')).count(), label).toBe(1)
    }
    // The eye, the test, the name, the address and the switch.
    for (const _ of Array(5)) {
      await page.keyboard.press('Tab')
      await eventually(() => isUncovered(page)).toBe(true)
    }
    expect(await field(page, 'Send from my own address').and(page.locator(':focus')).count()).toBe(1)
  })

  it('says when it could not be loaded, and tries again; the keyboard stays on the screen', {
    tags: 'thorough',
  }, async ({ memberPage: page, expectRefusal }) => {
    expectRefusal(SETTINGS)
    await answerWith(page, SETTINGS, 503, 'The database cannot be reached')
    await page.goto('/settings')
    await page.getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, SETTINGS)
    await field(page, 'Email Provider').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })

  it('says that this installation has no Telegram bot, and what its operator must set', {
    tags: 'thorough',
  }, async ({ memberPage: page }) => {
    await page.goto('/settings')
    const card = telegramCard(page)
    await card.getByText('This installation has no Telegram bot.').waitFor()
    await card.getByText('TELEGRAM_BOT_TOKEN').waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
  })
})

describe('sender information', () => {
  it('shows how mail looks once both fields are filled, and follows what is typed', async ({
    memberPage: page,
  }) => {
    await page.goto('/settings')
    const preview = page.getByRole('region', { name: 'Email Preview' })
    await field(page, 'Sender Name').fill(SENDER.fromName)
    expect(await preview.count()).toBe(0)
    await field(page, 'Reply-To Email').fill(SENDER.fromEmail)
    await preview.getByText(`From: ${SENDER.fromName} <mail@postrider.localhost>`).waitFor()
    await preview.getByText(`Replies to: ${SENDER.fromEmail}`).waitFor()
    await field(page, 'Sender Name').fill('Ann')
    await preview.getByText('From: Ann <mail@postrider.localhost>').waitFor()
    await field(page, 'Reply-To Email').fill('')
    await preview.waitFor({ state: 'detached' })
  })

  it('shows their own address once it is switched on, which only an own provider offers', {
    tags: 'thorough',
  }, async ({ memberPage: page }) => {
    await page.goto('/settings')
    await fillSender(page)
    const ownAddress = page.getByRole('switch', { name: 'Send from my own address' })
    const preview = page.getByRole('region', { name: 'Email Preview' })
    expect(await ownAddress.count()).toBe(0)
    await choose(page, 'SMTP')
    expect(await ownAddress.isChecked()).toBe(false)
    await page.getByText('must be allowed to send from it').waitFor()
    await ownAddress.click()
    await preview.getByText(`From: ${SENDER.fromName} <${SENDER.fromEmail}>`).waitFor()
    await choose(page, 'Resend')
    await preview.getByText(`From: ${SENDER.fromName} <mail@postrider.localhost>`).waitFor()
  })

  it('is saved without a test while the provider is the product’s own, and is there again later', async ({
    page,
    site,
  }) => {
    await (await aMember(site)).signIn(page.context())
    await page.goto('/settings')
    await fillSender(page)
    expect(await payloadOf(page, SETTINGS, () => saveButton(page).click())).toEqual({
      provider: 'resend',
      ...SENDER,
    })
    await expectToast(page, 'Settings Saved')
    await page.reload()
    await eventually(() => field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
    expect(await field(page, 'Reply-To Email').inputValue()).toBe(SENDER.fromEmail)
  })

  it('counts once it is saved, also for whoever leaves before it was read again', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const member = await aMember(site)
    await member.signIn(page.context())
    await page.goto('/settings')
    await fillSender(page)
    const { promise: gate, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route(`**${SETTINGS}`, async (route) => {
      if (route.request().method() === 'GET') await gate
      // The one that was left behind is gone by then.
      await route.continue().catch(() => {})
    })
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved', 'They apply from the next email on.')
    await page.getByRole('link', { name: 'Compose' }).first().click()
    const question = page.getByRole('dialog')
    await heading(page, 'Compose Email').or(question).first().waitFor()
    expect(await question.count()).toBe(0)
    letThrough()
    await button(page, 'Change for this email').click()
    await eventually(() => field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
  })

  it('is saved by Enter', { tags: 'thorough' }, async ({ page, site }) => {
    await (await aMember(site)).signIn(page.context())
    await page.goto('/settings')
    await fillSender(page)
    await field(page, 'Reply-To Email').press('Enter')
    await expectToast(page, 'Settings Saved')
  })

  it('is not lost by a save that fails, which says why', async ({ memberPage: page, expectRefusal }) => {
    expectRefusal(SETTINGS)
    await page.goto('/settings')
    await fillSender(page, { ...SENDER, fromEmail: 'not an address' })
    await saveButton(page).click()
    const [, sentence, reason] = await expectToast(page, 'Failed to Save')
    expect(reason).toMatch(/^400: /)
    expect(sentence).toBe('There was an error saving your settings')
    expect(await field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
    expect(await field(page, 'Reply-To Email').inputValue()).toBe('not an address')
  })

  it('says Saving... while it is saved, and keeps what is typed meanwhile', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await (await aMember(site)).signIn(page.context())
    await page.goto('/settings')
    await fillSender(page)
    const letThrough = await holdBack(page, SETTINGS)
    await saveButton(page).click()
    await button(page, 'Saving...').waitFor()
    expect(await button(page, 'Saving...').isDisabled()).toBe(true)
    await field(page, 'Sender Name').fill('Typed meanwhile')
    await letThrough()
    await expectToast(page, 'Settings Saved')
    await saveButton(page).waitFor()
    expect(await field(page, 'Sender Name').inputValue()).toBe('Typed meanwhile')
  })

  it('lets the product’s own account be tested as well', { tags: 'thorough' }, async ({
    memberPage: page,
  }) => {
    await page.goto('/settings')
    await fillSender(page)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
  })
})
