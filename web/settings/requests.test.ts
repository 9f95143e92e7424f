import { expect, it } from 'vitest'
import { type ProviderName, SaveSettingsRequest, VerifyProviderRequest } from '../../contract/settings.ts'
import { saveRequestOf, verifyRequestOf } from './requests.ts'
import type { AccountFields } from './settings-form.ts'
import { aForm, EVERYTHING } from './testing.ts'

const SENDER = { fromName: 'Ann', fromEmail: 'ann@example.test' }
const OWN = { ...SENDER, sendFromOwnAddress: false }

it.each<[ProviderName, object]>([
  ['resend', { provider: 'resend', ...SENDER }],
  [
    'smtp',
    {
      provider: 'smtp',
      ...OWN,
      smtpHost: 'host',
      smtpPort: 2525,
      smtpUser: 'user',
      smtpPassword: 'password',
    },
  ],
  ['sendgrid', { provider: 'sendgrid', ...OWN, apiKey: 'key' }],
  ['mailgun', { provider: 'mailgun', ...OWN, apiKey: 'key' }],
  ['ses', { provider: 'ses', ...OWN, smtpHost: 'host', smtpPassword: 'password', apiKey: 'key' }],
])('%s gets what belongs to it and nothing that was typed for others', (provider, expected) => {
  const form = aForm({ provider, account: EVERYTHING })
  expect(verifyRequestOf(form)).toEqual(expected)
  expect(saveRequestOf(form, '')).toEqual(expected)
  expect(VerifyProviderRequest.safeParse(verifyRequestOf(form)).success).toBe(true)
  expect(SaveSettingsRequest.safeParse(saveRequestOf(form, '')).success).toBe(true)
})

it.each<[ProviderName, Partial<AccountFields>, object]>([
  ['smtp', { smtpPort: '' }, { smtpPort: 587 }],
  ['ses', { smtpHost: ' ' }, { smtpHost: 'us-east-1' }],
])('of %s a blank field means the usual value', (provider, account, expected) => {
  expect(verifyRequestOf(aForm({ provider, account: { ...EVERYTHING, ...account } }))).toMatchObject(expected)
})

it('sends the wish for the own address, but not to the product’s own account', () => {
  const wish = { sendFromOwnAddress: true }
  expect(saveRequestOf({ ...aForm({ provider: 'mailgun' }), ...wish }, '')).toMatchObject(wish)
  expect(saveRequestOf({ ...aForm({ provider: 'resend' }), ...wish }, '')).not.toHaveProperty(
    'sendFromOwnAddress',
  )
})

it.each<[ProviderName, boolean]>([
  ['resend', false],
  ['smtp', false],
  ['sendgrid', true],
  ['mailgun', true],
  ['ses', true],
])('of %s it is %s that a signing key is saved with the rest', (provider, isSent) => {
  const form = aForm({ provider })
  expect('webhookSigningKey' in saveRequestOf(form, 'signing key')).toBe(isSent)
  expect(saveRequestOf(form, ' ')).not.toHaveProperty('webhookSigningKey')
})

it('sends a switched habit along with the rest, and never to a test', () => {
  const form = aForm({ provider: 'resend' })
  expect(saveRequestOf(form, '', { trackOpens: false })).toEqual({
    provider: 'resend',
    ...SENDER,
    trackOpens: false,
  })
  expect(SaveSettingsRequest.safeParse(saveRequestOf(form, '', { alwaysUnsubscribe: true })).success).toBe(
    true,
  )
})
