import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { SesSimulator } from '../server/test/simulators/ses.ts'
import { eventually } from './harness.ts'
import { providerJourney as it, RELAY_USER } from './own-providers.ts'
import {
  choose,
  descriptionOf,
  fillRelay,
  fillSender,
  payloadOf,
  SENDER,
  SETTINGS,
  saveButton,
  testButton,
  VERIFY,
} from './settings-steps.ts'
import { field } from './steps.ts'
import { expectToast } from './toasts.ts'

const KEEP = 'One is stored. Leave blank to keep it.'
const OWN = { ...SENDER, sendFromOwnAddress: false }

const labelsOf = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Email Provider Configuration' }).locator('label').allInnerTexts()

/** Tests, saves, and gives what both calls carried. */
async function testAndSave(page: Page): Promise<{ tested: unknown; saved: unknown }> {
  const tested = await payloadOf(page, VERIFY, () => testButton(page).click())
  await expectToast(page, 'Credentials Verified')
  const saved = await payloadOf(page, SETTINGS, () => saveButton(page).click())
  await expectToast(page, 'Settings Saved')
  return { tested, saved }
}

describe('each provider', () => {
  it('has its own fields, with the usual values', async ({ settingsPage: page }) => {
    for (const [name, labels] of [
      ['Resend', []],
      ['SMTP', ['SMTP Host', 'SMTP Port', 'SMTP Username', 'SMTP Password']],
      ['SendGrid', ['API Key']],
      ['Mailgun', ['API Key']],
      ['Amazon SES', ['AWS Region', 'Access Key ID', 'Secret Access Key']],
    ] as const) {
      await choose(page, name)
      expect(await labelsOf(page), name).toEqual(['Email Provider', ...labels])
    }
    expect(await field(page, 'AWS Region').inputValue()).toBe('us-east-1')
    await choose(page, 'SMTP')
    expect(await field(page, 'SMTP Port').inputValue()).toBe('587')
    expect(await descriptionOf(page, 'SMTP Username')).toBe('Leave blank for a relay that asks for none.')
    expect(await descriptionOf(page, 'SMTP Password')).toBe('Leave blank for a relay that asks for none.')
  })

  it('finds again what was typed for it before another was looked at', { tags: 'thorough' }, async ({
    settingsPage: page,
  }) => {
    await choose(page, 'SendGrid')
    await field(page, 'API Key').fill('SG.typed')
    await choose(page, 'Mailgun')
    expect(await field(page, 'API Key').inputValue()).toBe('')
    await choose(page, 'SMTP')
    await field(page, 'SMTP Host').fill('mail.example.test')
    await choose(page, 'SendGrid')
    expect(await field(page, 'API Key').inputValue()).toBe('SG.typed')
    await choose(page, 'SMTP')
    expect(await field(page, 'SMTP Host').inputValue()).toBe('mail.example.test')
  })

  it('takes only digits as a port, and says which there are', { tags: 'thorough' }, async ({
    settingsPage: page,
  }) => {
    await choose(page, 'SMTP')
    await field(page, 'SMTP Port').fill('99999x')
    expect(await field(page, 'SMTP Port').inputValue()).toBe('99999')
    expect(await descriptionOf(page, 'SMTP Port')).toBe('From 1 to 65535')
    await field(page, 'SMTP Port').fill('2525')
    expect(await descriptionOf(page, 'SMTP Port')).toBe('')
  })
})

describe('SMTP', () => {
  it('is tested and saved with host, port, user and password', async ({ settingsPage: page, outside }) => {
    await fillSender(page)
    await choose(page, 'SMTP')
    await fillRelay(page, outside.relay.url)
    const expected = {
      provider: 'smtp',
      ...OWN,
      smtpHost: outside.relay.url.hostname,
      smtpPort: Number(outside.relay.url.port),
      smtpUser: RELAY_USER.user,
      smtpPassword: RELAY_USER.pass,
    }
    expect(await testAndSave(page)).toEqual({ tested: expected, saved: expected })
  })

  it('needs no user for a relay that asks for none', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSender(page)
    await choose(page, 'SMTP')
    await fillRelay(page, outside.openRelay.url, { user: '', pass: '' })
    expect((await testAndSave(page)).saved).toMatchObject({ smtpUser: '', smtpPassword: '' })
  })

  it('keeps a stored password for its own host and port only', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSender(page)
    await choose(page, 'SMTP')
    await fillRelay(page, outside.relay.url)
    await testAndSave(page)
    await eventually(() => field(page, 'SMTP Password').inputValue()).toBe('')
    await page.reload()
    await field(page, 'SMTP Password').waitFor()
    expect(await field(page, 'SMTP Host').inputValue()).toBe(outside.relay.url.hostname)
    expect(await field(page, 'SMTP Password').inputValue()).toBe('')
    expect(await descriptionOf(page, 'SMTP Password')).toBe(KEEP)
    expect((await testAndSave(page)).tested).toMatchObject({ smtpPassword: '' })

    await field(page, 'SMTP Port').fill('25')
    expect(await descriptionOf(page, 'SMTP Password')).toBe('Type it again for another host or port.')
    await field(page, 'SMTP Port').fill(outside.relay.url.port)
    expect(await descriptionOf(page, 'SMTP Password')).toBe(KEEP)
    await field(page, 'SMTP Host').fill('other.example.test')
    expect(await descriptionOf(page, 'SMTP Password')).toBe('Type it again for another host or port.')
    await choose(page, 'Amazon SES')
    expect(await descriptionOf(page, 'Secret Access Key')).toBe('Type it: the stored one belongs to SMTP.')
  })

  it('sends from the own address when that is switched on', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside,
  }) => {
    await fillSender(page)
    await choose(page, 'SMTP')
    await fillRelay(page, outside.relay.url)
    await page.getByRole('switch', { name: 'Send from my own address' }).click()
    const { tested, saved } = await testAndSave(page)
    expect([tested, saved]).toMatchObject([{ sendFromOwnAddress: true }, { sendFromOwnAddress: true }])
    await page.reload()
    await eventually(() => field(page, 'Send from my own address').isChecked()).toBe(true)
  })
})

describe('Amazon SES', () => {
  async function fillSes(page: Page, { accessKeyId, secretAccessKey }: SesSimulator, region: string) {
    await choose(page, 'Amazon SES')
    await field(page, 'AWS Region').fill(region)
    await field(page, 'Access Key ID').fill(accessKeyId)
    await field(page, 'Secret Access Key').fill(secretAccessKey)
  }

  it('is tested and saved with key, secret and region, which blank is us-east-1', async ({
    settingsPage: page,
    outside: { ses },
  }) => {
    await fillSender(page)
    await fillSes(page, ses, '')
    const expected = {
      provider: 'ses',
      ...OWN,
      apiKey: ses.accessKeyId,
      smtpPassword: ses.secretAccessKey,
      smtpHost: 'us-east-1',
    }
    expect(await testAndSave(page)).toEqual({ tested: expected, saved: expected })
    await eventually(() => field(page, 'AWS Region').inputValue()).toBe('us-east-1')
  })

  it('keeps stored secrets for their own region only', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside: { ses },
  }) => {
    await fillSender(page)
    await fillSes(page, ses, ses.region)
    await testAndSave(page)
    await page.reload()
    for (const [region, hint] of [
      [ses.region, KEEP],
      ['eu-central-1', 'Type it again for another region.'],
      ['', KEEP],
    ] as const) {
      await field(page, 'AWS Region').fill(region)
      expect(await descriptionOf(page, 'Access Key ID'), region).toBe(hint)
      expect(await descriptionOf(page, 'Secret Access Key'), region).toBe(hint)
    }
    expect((await testAndSave(page)).saved).toMatchObject({ apiKey: '', smtpPassword: '' })
  })

  it('says what is wrong with a secret', { tags: 'thorough' }, async ({
    settingsPage: page,
    outside: { ses },
  }) => {
    await fillSender(page)
    await fillSes(page, { ...ses, secretAccessKey: 'another one' }, ses.region)
    await testButton(page).click()
    await expectToast(page, 'Verification Failed')
  })
})

for (const [name, provider] of [
  ['SendGrid', 'sendgrid'],
  ['Mailgun', 'mailgun'],
] as const)
  describe(name, () => {
    it('is tested and saved with its API key', async ({ settingsPage: page, outside }) => {
      await fillSender(page)
      await choose(page, name)
      const { apiKey } = outside[provider]
      await field(page, 'API Key').fill(apiKey)
      const expected = { provider, ...OWN, apiKey }
      expect(await testAndSave(page)).toEqual({ tested: expected, saved: expected })
    })

    it('never shows its stored key, and keeps it while the field is blank', {
      tags: name === 'SendGrid' ? [] : 'thorough',
    }, async ({ settingsPage: page, outside }) => {
      await fillSender(page)
      await choose(page, name)
      await field(page, 'API Key').fill(outside[provider].apiKey)
      await testAndSave(page)
      await page.reload()
      await eventually(() => descriptionOf(page, 'API Key')).toBe(KEEP)
      expect(await field(page, 'API Key').inputValue()).toBe('')
      expect((await testAndSave(page)).saved).toEqual({ provider, ...OWN, apiKey: '' })
      await choose(page, name === 'Mailgun' ? 'SendGrid' : 'Mailgun')
      expect(await descriptionOf(page, 'API Key')).toBe(`Type it: the stored one belongs to ${name}.`)
    })

    it('says what is wrong with a key', { tags: name === 'SendGrid' ? [] : 'thorough' }, async ({
      settingsPage: page,
    }) => {
      await fillSender(page)
      await choose(page, name)
      await field(page, 'API Key').fill('not a key of this account')
      await testButton(page).click()
      await expectToast(page, 'Verification Failed')
      expect(await saveButton(page).isDisabled()).toBe(true)
    })
  })
