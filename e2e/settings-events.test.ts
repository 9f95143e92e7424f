import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually } from './harness.ts'
import { providerJourney as it, type Outside } from './own-providers.ts'
import {
  choose,
  descriptionOf,
  fillSender,
  payloadOf,
  SETTINGS,
  saveButton,
  testButton,
} from './settings-steps.ts'
import { button, field } from './steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'
import { expectToast } from './toasts.ts'

const KEPT_AT = '2026-11-01T10:00:00.000Z'
const KEEP = 'One is stored. Leave blank to keep it.'
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:events'

const REPORTING = [
  {
    name: 'SendGrid',
    provider: 'sendgrid',
    steps: /Settings → Mail Settings → Event Webhook and switch on signed events/,
    label: 'Verification Key',
    key: ({ sendgrid }: Outside) => sendgrid.publicKey,
    stored: `${KEEP} What you enter takes its place: enter every key that counts, separated by commas.`,
    // SendGrid throws away for good what is refused.
    receiving: /Enter its public key in the field below.* and save.*Then paste this URL/,
  },
  {
    name: 'Mailgun',
    provider: 'mailgun',
    steps: /on the Webhooks page/,
    label: 'HTTP Webhook Signing Key',
    key: ({ mailgun }: Outside) => mailgun.signingKey,
    stored: KEEP,
    receiving: /forwards to this address/,
  },
  {
    name: 'Amazon SES',
    provider: 'ses',
    // Amazon asks once whether it is wanted, and nobody answers it while the topic is not known.
    steps: /configuration set with an SNS topic.* into the field below and save; then subscribe this URL/,
    label: 'SNS Topic ARN',
    key: () => TOPIC,
    stored: `${KEEP} What you enter takes its place: enter the ARN of every topic that counts, separated by commas.`,
    receiving: /the ARNs of both.* and save. Then subscribe this URL/,
  },
] as const

async function saveProvider(page: Page, name: string, { sendgrid, mailgun, ses }: Outside): Promise<void> {
  await fillSender(page)
  await choose(page, name)
  if (name === 'Amazon SES') {
    await field(page, 'Access Key ID').fill(ses.accessKeyId)
    await field(page, 'Secret Access Key').fill(ses.secretAccessKey)
  } else await field(page, 'API Key').fill(name === 'Mailgun' ? mailgun.apiKey : sendgrid.apiKey)
  await testButton(page).click()
  await expectToast(page, 'Credentials Verified')
  await saveButton(page).click()
  await expectToast(page, 'Settings Saved')
}

describe('the address for events', () => {
  for (const { name, provider, steps, label, key, stored, receiving } of REPORTING)
    it(`of ${name} appears once it is saved, with where to paste it and a field for its key`, {
      tags: name === 'Amazon SES' ? [] : 'thorough',
    }, async ({ settingsPage: page, site, outside }) => {
      await choose(page, name)
      await page.getByText('appears here once these settings are saved').waitFor()
      expect(await page.getByLabel('Webhook URL').count()).toBe(0)
      await saveProvider(page, name, outside)

      const url = page.getByLabel('Webhook URL')
      await url.waitFor()
      expect(await url.inputValue()).toMatch(
        new RegExp(`^${site.origin}/api/webhooks/${provider}/[\\w-]{40,}$`),
      )
      expect(await url.getAttribute('readonly')).not.toBeNull()
      expect(await descriptionOf(page, 'Webhook URL')).toMatch(steps)
      const inbound = (await url.inputValue()).replace('webhooks', 'inbound')
      expect(await page.getByLabel('Inbound URL').inputValue()).toBe(
        provider === 'mailgun' ? `${inbound}/mime` : inbound,
      )
      const inboundSteps = await descriptionOf(page, 'Inbound URL')
      expect(inboundSteps).toMatch(/^For mail of your own domain in the Inbox, /)
      expect(inboundSteps).toMatch(receiving)
      await page.getByText(`Until the ${label} is stored, its reports are refused.`).waitFor()

      // Without another test: what was tested has not changed.
      await field(page, label).fill(key(outside))
      expect(await payloadOf(page, SETTINGS, () => saveButton(page).click())).toMatchObject({
        webhookSigningKey: key(outside),
      })
      await eventually(() => descriptionOf(page, label)).toBe(stored)
      await page.getByText('Your provider reports deliveries, bounces and complaints').waitFor()
      // What is stored and what is typed are drawn one after the other.
      await eventually(() => field(page, label).inputValue()).toBe('')

      if (provider !== 'ses') return
      // A mail that Amazon has kept, and what to change so that it does not keep the next one.
      const missed = [{ reason: 'not-brought', firstAt: KEPT_AT, lastAt: KEPT_AT }]
      await page.route('**/api/inbox/summary', (route) =>
        route.fulfill({ json: { unread: { inbox: 0, automatic: 0 }, missed } }),
      )
      await page.reload()
      const note = page.getByRole('note').filter({ hasText: 'Amazon SES did not bring a message' })
      expect(await note.innerText()).toMatch(/11\/01\/2026.*Give the rule an SNS action/s)
    })

  it('refuses what cannot be a key, and leaves it to be mended', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
    expectRefusal,
  }) => {
    expectRefusal(SETTINGS)
    await saveProvider(page, 'SendGrid', outside)
    await field(page, 'Verification Key').fill('not a key')
    await saveButton(page).click()
    await expectToast(page, 'Failed to Save')
    expect(await field(page, 'Verification Key').inputValue()).toBe('not a key')
  })

  it('does not stand there for providers that report nothing', { tags: 'thorough' }, async ({
    settingsPage: page,
  }) => {
    for (const name of ['Resend', 'SMTP']) {
      await choose(page, name)
      expect(await page.getByRole('heading', { name: 'Delivery Events' }).count()).toBe(0)
    }
  })
})

describe('the copy button', () => {
  const copy = (page: Page) => button(page, 'Copy Webhook URL')
  const copied = (page: Page) => button(page, 'Copied Webhook URL')

  // One after the other: all pages of a browser have the same clipboard.
  it('copies, shows a check mark for 2 s, and also works where a browser has no clipboard for pages', {
    tags: 'thorough',
  }, async ({ settingsPage: page, context, outside }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await saveProvider(page, 'Mailgun', outside)
    await openWithStoppedClock(page, '/settings', copy(page))
    await copy(page).click()
    await passTimeUntil(page, async () => (await copied(page).count()) === 1)
    expect(await copied(page).locator('svg.lucide-check').count()).toBe(1)
    await passTime(page, 1900)
    expect(await copied(page).count()).toBe(1)
    await passTime(page, 100)
    await eventually(() => copy(page).count()).toBe(1)
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toBe(await page.getByLabel('Webhook URL').inputValue())

    await page.clock.resume()
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await openWithStoppedClock(page, '/settings', copy(page))
    await copy(page).click()
    await passTimeUntil(page, async () => (await copied(page).count()) === 1)
    const selected = await page.evaluate(() => document.getSelection()?.toString())
    expect(selected).toBe(await page.getByLabel('Webhook URL').inputValue())
  })
})
