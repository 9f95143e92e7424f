import { expect } from 'vitest'
import { holdForNext, letThrough } from './going-on.ts'
import { aMember } from './harness.ts'
import { choose, fillSender, SENDER, SETTINGS, testButton, VERIFY } from './settings-steps.ts'
import type { State, World } from './state.ts'
import { answerWith, button, field } from './steps.ts'
import { TELEGRAM_STATES } from './telegram-states.ts'
import { LINKS } from './telegram-steps.ts'

/** What each provider has stored, as a user would have typed it. */
const STORED = {
  smtp: { smtpHost: 'smtp.example.test', smtpPort: 587, smtpUser: 'ann', smtpPassword: 'a password' },
  sendgrid: { apiKey: 'SG.a_key' },
  mailgun: { apiKey: 'a-key-of-mailgun', webhookSigningKey: 'a-signing-key-of-mailgun' },
  ses: { apiKey: 'AKIAIOSFODNN7EXAMPLE', smtpPassword: 'a secret access key', smtpHost: 'eu-central-1' },
} as const

/** An account of its own each time, for each state stores something else. */
async function visit({ page, site }: World, stored?: object): Promise<void> {
  const member = await aMember(site)
  if (stored) {
    const client = await member.client()
    const answer = await client.post(SETTINGS, { ...SENDER, ...stored })
    expect(answer.status, answer.text).toBe(200)
  }
  await member.signInOn(page)
  await page.goto('/settings')
}

async function visitForm(world: World, stored?: object): Promise<void> {
  await visit(world, stored)
  await field(world.page, 'Email Provider').waitFor()
}

const stored = (provider: keyof typeof STORED): Pick<State, 'name' | 'show'> => ({
  name: `settings, ${provider} stored`,
  show: (world) => visitForm(world, { provider, ...STORED[provider] }),
})

export const SETTINGS_STATES: State[] = [
  {
    name: 'settings loading',
    async show(world) {
      await holdForNext(world.page, SETTINGS)
      await holdForNext(world.page, LINKS)
      await visit(world)
      await world.page.getByRole('status').filter({ hasText: 'Loading your settings' }).waitFor()
    },
  },
  {
    name: 'settings',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await field(page, 'Email Provider').waitFor()
    },
  },
  {
    name: 'settings, a port that is none',
    goesOn: true,
    async show({ page }) {
      await choose(page, 'SMTP')
      await field(page, 'SMTP Port').fill('99999')
      await page.getByText('From 1 to 65535').waitFor()
    },
  },
  {
    name: 'settings, a provider that is not stored yet',
    goesOn: true,
    async show({ page }) {
      await choose(page, 'Amazon SES')
      await page.getByText('appears here once these settings are saved').waitFor()
    },
  },
  {
    name: 'settings, email required',
    goesOn: true,
    toast: 'Email Required',
    async show({ page }) {
      await choose(page, 'SendGrid')
      await field(page, 'API Key').press('Enter')
    },
  },
  {
    name: 'settings, credentials verified',
    goesOn: true,
    toast: 'Credentials Verified',
    async show({ page }) {
      await choose(page, 'Resend')
      await fillSender(page)
      await testButton(page).click()
    },
  },
  {
    name: 'settings, leaving with what is not saved',
    goesOn: true,
    async show({ page }) {
      await page.getByTestId('link-history').click()
      await page.getByRole('dialog', { name: 'Leave these settings?' }).waitFor()
    },
  },
  { ...stored('sendgrid'), rare: true },
  { ...stored('mailgun'), goesOn: true },
  { ...stored('ses'), goesOn: true },
  { ...stored('smtp'), goesOn: true },
  {
    name: 'settings, credentials under test',
    goesOn: true,
    async show({ page }) {
      await holdForNext(page, VERIFY)
      await testButton(page).click()
      await button(page, 'Testing...').waitFor()
    },
  },
  {
    name: 'settings, sent from the own address',
    rare: true,
    show: (world) => visitForm(world, { provider: 'smtp', ...STORED.smtp, sendFromOwnAddress: true }),
  },
  {
    name: 'settings that could not be loaded',
    rare: true,
    async show(world) {
      world.expectRefusal(SETTINGS)
      await answerWith(world.page, SETTINGS, 503, 'The database cannot be reached')
      await visit(world)
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'settings, verification failed',
    rare: true,
    toast: 'Verification Failed',
    async show(world) {
      // A host inside the operator's own network is refused before anybody is asked.
      await visitForm(world, { provider: 'smtp', ...STORED.smtp, smtpHost: '127.0.0.1' })
      await testButton(world.page).click()
    },
  },
  ...TELEGRAM_STATES,
]
