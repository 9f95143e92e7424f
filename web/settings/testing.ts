import type { ProviderName, Settings } from '../../contract/settings.ts'
import { type AccountFields, formOf, type SettingsForm } from './settings-form.ts'
import { type SettingsAction, type SettingsState, settingsReducer } from './settings-state.ts'

/** For the tests of this folder: settings as a new account has them, but with a sender. */
export const aStored = (differences: Partial<Settings> = {}): Settings => ({
  provider: 'resend',
  smtpHost: '',
  smtpPort: 587,
  smtpUser: '',
  hasSmtpPassword: false,
  hasApiKey: false,
  fromName: 'Ann',
  fromEmail: 'ann@example.test',
  sendFromOwnAddress: false,
  webhookUrl: null,
  inboundUrl: null,
  hasWebhookSigningKey: false,
  trackOpens: true,
  alwaysUnsubscribe: false,
  ...differences,
})

export const EVERYTHING: AccountFields = {
  smtpHost: 'host',
  smtpPort: '2525',
  smtpUser: 'user',
  smtpPassword: 'password',
  apiKey: 'key',
}

export function aForm({
  provider,
  account = {},
}: {
  provider: ProviderName
  account?: Partial<AccountFields>
}): SettingsForm {
  const form = formOf(aStored())
  const accounts = { ...form.accounts, [provider]: { ...form.accounts[provider], ...account } }
  return { ...form, provider, accounts }
}

/** After these, one after the other. */
export const having = (state: SettingsState, ...actions: SettingsAction[]): SettingsState =>
  actions.reduce(settingsReducer, state)
