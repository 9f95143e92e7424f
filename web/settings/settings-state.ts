import { ProviderName, type Settings, type VerifyProviderResponse } from '../../contract/settings.ts'
import { type AccountFields, formOf, type MailHabits, type SettingsForm } from './settings-form.ts'

/** What is known of the credentials as they stand in the form right now. */
export type Verdict =
  | { kind: 'untested' }
  | { kind: 'verified'; note: string | undefined }
  | { kind: 'failed'; error: string }

const NOT_VERIFIED = 'Could not verify credentials. Please check your configuration.'

export function verdictOf({ success, error, note }: VerifyProviderResponse): Verdict {
  return success ? { kind: 'verified', note } : { kind: 'failed', error: error || NOT_VERIFIED }
}

export interface SettingsState {
  form: SettingsForm
  /** The accounts as they stand in the form where nobody has typed. */
  untyped: SettingsForm['accounts']
  /** Apart from the form: a test says nothing about it, so typing it takes no verdict back. */
  signingKeys: Record<ProviderName, string>
  /** What was switched and is not stored yet; the others are as stored. */
  habits: Partial<MailHabits>
  verdict: Verdict
}

/** What goes to the server in one save. */
export type SentSettings = Pick<SettingsState, 'form' | 'signingKeys' | 'habits'>

export type SettingsAction =
  | { kind: 'provider chosen'; provider: ProviderName }
  | { kind: 'account typed'; fields: Partial<AccountFields> }
  | {
      kind: 'sender changed'
      fields: Partial<Pick<SettingsForm, 'fromName' | 'fromEmail' | 'sendFromOwnAddress'>>
    }
  | { kind: 'signing key typed'; text: string }
  | { kind: 'habit switched'; habits: Partial<MailHabits> }
  | { kind: 'tested'; form: SettingsForm; verdict: Verdict }
  | { kind: 'saved'; sent: SentSettings; stored: Settings }

export function startingState(settings: Settings): SettingsState {
  const form = formOf(settings)
  return {
    form,
    untyped: form.accounts,
    signingKeys: { resend: '', smtp: '', sendgrid: '', mailgun: '', ses: '' },
    habits: {},
    verdict: { kind: 'untested' },
  }
}

/** Whether anything stands in the form that leaving would lose. To look at another provider is not to type. */
export function isTyped(state: SettingsState, settings: Settings): boolean {
  const { form, habits } = state
  return (
    ProviderName.options.some((provider) => isAccountTyped(state, provider)) ||
    SENDER.some((field) => form[field] !== settings[field]) ||
    HABITS.some((habit) => habits[habit] !== undefined && habits[habit] !== settings[habit])
  )
}

function isAccountTyped({ form, untyped, signingKeys }: SettingsState, provider: ProviderName): boolean {
  const [typed, before] = [form.accounts[provider], untyped[provider]]
  const fields = Object.keys(before) as (keyof AccountFields)[]
  return fields.some((field) => typed[field] !== before[field]) || signingKeys[provider] !== ''
}

const SENDER = ['fromName', 'fromEmail', 'sendFromOwnAddress'] as const
const HABITS = ['trackOpens', 'alwaysUnsubscribe'] as const

export function settingsReducer(state: SettingsState, action: SettingsAction): SettingsState {
  const { form } = state
  switch (action.kind) {
    case 'provider chosen':
      return changed(state, { ...form, provider: action.provider })
    case 'account typed': {
      const account = { ...form.accounts[form.provider], ...action.fields }
      return changed(state, { ...form, accounts: { ...form.accounts, [form.provider]: account } })
    }
    case 'sender changed':
      return changed(state, { ...form, ...action.fields })
    case 'signing key typed':
      return { ...state, signingKeys: { ...state.signingKeys, [form.provider]: action.text } }
    case 'habit switched':
      return { ...state, habits: { ...state.habits, ...action.habits } }
    case 'tested':
      // Whoever typed on while the test ran has not tested what is there now.
      return action.form === form ? { ...state, verdict: action.verdict } : state
    case 'saved':
      return saved(state, action)
  }
}

const changed = (state: SettingsState, form: SettingsForm): SettingsState => ({
  ...state,
  form,
  verdict: { kind: 'untested' },
})

/** What was sent is now stored and leaves the form, secrets above all; what was typed since then stays. */
function saved(
  state: SettingsState,
  { sent, stored }: Extract<SettingsAction, { kind: 'saved' }>,
): SettingsState {
  const { provider } = stored
  const { [provider]: account } = formOf(stored).accounts
  const isKeyStored = state.signingKeys[provider] === sent.signingKeys[provider]
  return {
    form: state.form === sent.form ? formOf(stored, sent.form.accounts) : state.form,
    untyped: { ...state.untyped, [provider]: account },
    signingKeys: isKeyStored ? { ...state.signingKeys, [provider]: '' } : state.signingKeys,
    habits: state.habits === sent.habits ? {} : state.habits,
    verdict: state.verdict,
  }
}
