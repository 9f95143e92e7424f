import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually } from './harness.ts'
import { providerJourney as it, type Outside, RELAY_USER } from './own-providers.ts'
import {
  choose,
  fillRelay,
  fillSender,
  payloadOf,
  SENDER,
  SETTINGS,
  saveButton,
  TEST_FIRST,
  testButton,
  VERIFY,
} from './settings-steps.ts'
import { answerWith, button, field, holdBack } from './steps.ts'
import { expectToast } from './toasts.ts'

async function fillSmtp(page: Page, { relay }: Outside): Promise<void> {
  await fillSender(page)
  await choose(page, 'SMTP')
  await fillRelay(page, relay.url)
}

async function verifySmtp(page: Page, outside: Outside): Promise<void> {
  await fillSmtp(page, outside)
  await testButton(page).click()
  await expectToast(page, 'Credentials Verified')
  await eventually(() => saveButton(page).isEnabled()).toBe(true)
}

describe('testing credentials', () => {
  it('needs a reply-to email: without one the button is disabled', async ({ settingsPage: page }) => {
    await choose(page, 'SMTP')
    expect(await testButton(page).isDisabled()).toBe(true)
    await field(page, 'Reply-To Email').fill(SENDER.fromEmail)
    expect(await testButton(page).isEnabled()).toBe(true)
    await field(page, 'Reply-To Email').fill('')
    expect(await testButton(page).isDisabled()).toBe(true)
  })

  it("says 'Email Required' to whoever presses Enter without one, and leads to the field", async ({
    settingsPage: page,
  }) => {
    await choose(page, 'SMTP')
    await field(page, 'SMTP Host').press('Enter')
    await expectToast(page, 'Email Required', 'Please enter a reply-to email address to test credentials')
    await eventually(() => field(page, 'Reply-To Email').and(page.locator(':focus')).count()).toBe(1)
  })

  it("says 'Credentials Verified' with what could not be checked, and opens the way to saving", async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSmtp(page, outside)
    expect(await saveButton(page).isDisabled()).toBe(true)
    await page.getByText(TEST_FIRST).waitFor()
    const payload = await payloadOf(page, VERIFY, () => testButton(page).click())
    expect(payload).toEqual({
      provider: 'smtp',
      ...SENDER,
      smtpHost: outside.relay.url.hostname,
      smtpPort: Number(outside.relay.url.port),
      smtpUser: RELAY_USER.user,
      smtpPassword: RELAY_USER.pass,
      sendFromOwnAddress: false,
    })
    const note = /A relay tells only at the first mail/
    const [, , detail] = await expectToast(page, 'Credentials Verified')
    expect(detail).toMatch(note)
    await page.getByRole('region', { name: 'Email Provider Configuration' }).getByText(note).waitFor()
    expect(await saveButton(page).isEnabled()).toBe(true)
    expect(await page.getByText(TEST_FIRST).count()).toBe(0)
  })

  it("says 'Verification Failed' with the provider's reason, which stays to be read", async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSmtp(page, outside)
    await field(page, 'SMTP Password').fill('a wrong one')
    await testButton(page).click()
    const [, reason = ''] = await expectToast(page, 'Verification Failed')
    expect(reason).toMatch(/credentials|password/i)
    await page.getByRole('region', { name: 'Email Provider Configuration' }).getByText(reason).waitFor()
    expect(await saveButton(page).isDisabled()).toBe(true)
  })

  it('has a sentence of its own for a failure without a reason', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSmtp(page, outside)
    await page.route(`**${VERIFY}`, (route) => route.fulfill({ json: { success: false } }))
    await testButton(page).click()
    await expectToast(
      page,
      'Verification Failed',
      'Could not verify credentials. Please check your configuration.',
    )
  })

  it("says 'Verification Error' when there was no answer, and works again", async ({
    settingsPage: page,
    outside,
    expectRefusal,
  }) => {
    expectRefusal(VERIFY)
    await fillSmtp(page, outside)
    await page.route(`**${VERIFY}`, (route) => route.abort())
    await testButton(page).click()
    await expectToast(page, 'Verification Error', 'There was an error verifying your credentials')
    expect(await saveButton(page).isDisabled()).toBe(true)
    await page.unroute(`**${VERIFY}`)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
  })

  it("says 'Verification Error' with what the server misses", { tags: 'thorough' }, async ({
    settingsPage: page,
    expectRefusal,
  }) => {
    expectRefusal(VERIFY)
    await fillSender(page)
    await choose(page, 'SMTP')
    await testButton(page).click()
    const [, , detail] = await expectToast(
      page,
      'Verification Error',
      'There was an error verifying your credentials',
    )
    expect(detail).toContain('Please enter the SMTP host')
  })

  it('says Testing... while it runs, and keeps the focus', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSmtp(page, outside)
    const letThrough = await holdBack(page, VERIFY)
    await testButton(page).focus()
    await page.keyboard.press('Enter')
    await button(page, 'Testing...').waitFor()
    expect(await button(page, 'Testing...').isDisabled()).toBe(true)
    await letThrough()
    await expectToast(page, 'Credentials Verified')
    await eventually(() => testButton(page).and(page.locator(':focus')).count()).toBe(1)
  })

  it('does not vouch for what was typed while it ran', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSmtp(page, outside)
    const letThrough = await holdBack(page, VERIFY)
    await testButton(page).click()
    await field(page, 'SMTP Password').fill('typed later')
    await letThrough()
    const [, , detail] = await expectToast(page, 'Credentials Verified')
    expect(detail).toContain('You have changed the settings since')
    expect(await saveButton(page).isDisabled()).toBe(true)
  })
})

describe('the verdict', () => {
  const CHANGES: [string, (page: Page) => Promise<void>][] = [
    ['the host', (page) => field(page, 'SMTP Host').fill('other.example.test')],
    ['the port', (page) => field(page, 'SMTP Port').fill('25')],
    ['the user', (page) => field(page, 'SMTP Username').fill('eve')],
    ['the password', (page) => field(page, 'SMTP Password').fill('another')],
    ['the sender name', (page) => field(page, 'Sender Name').fill('Eve')],
    ['the reply-to email', (page) => field(page, 'Reply-To Email').fill('eve@example.test')],
    ['the own address', (page) => field(page, 'Send from my own address').click()],
    [
      'the provider, also there and back',
      async (page) => {
        await choose(page, 'Mailgun')
        await choose(page, 'SMTP')
      },
    ],
  ]
  it('is taken back by a change of each field', async ({ settingsPage: page, outside }) => {
    await verifySmtp(page, outside)
    for (const [what, change] of CHANGES) {
      await change(page)
      expect(await saveButton(page).isDisabled(), what).toBe(true)
      await page.getByText(TEST_FIRST).waitFor()
      await fillSmtp(page, outside)
      await testButton(page).click()
      await eventually(() => saveButton(page).isEnabled()).toBe(true)
    }
  })

  it('is out for stored credentials: they are tested again before the next save', {
    tags: 'thorough',
  }, async ({ settingsPage: page, outside }) => {
    await verifySmtp(page, outside)
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    await page.reload()
    await page.getByText(TEST_FIRST).waitFor()
    expect(await saveButton(page).isDisabled()).toBe(true)
    await testButton(page).click()
    await expectToast(page, 'Credentials Verified')
    // It is drawn a moment after the toast.
    await eventually(() => saveButton(page).isEnabled()).toBe(true)
  })

  it('survives a failed save, like everything that was typed', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
    expectRefusal,
  }) => {
    expectRefusal(SETTINGS)
    await verifySmtp(page, outside)
    await answerWith(page, SETTINGS, 500, 'Something went wrong')
    await saveButton(page).click()
    const told = await expectToast(page, 'Failed to Save', 'There was an error saving your settings')
    expect(told[2]).toBe('500: Something went wrong')
    expect(await field(page, 'SMTP Password').inputValue()).toBe(RELAY_USER.pass)
    await page.unroute(`**${SETTINGS}`)
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
  })

  it("says 'There was an error saving your settings' also where there was no answer", async ({
    settingsPage: page,
    expectRefusal,
  }) => {
    expectRefusal(SETTINGS)
    await fillSender(page)
    await page.route(`**${SETTINGS}`, (route) => route.abort())
    await saveButton(page).click()
    await expectToast(page, 'Failed to Save', 'There was an error saving your settings')
  })
})
