import { ProviderName, type Settings, type VerifyProviderResponse } from '../../contract/settings.ts'
import { type AccountFields, formOf, type MailHabits, type SettingsForm } from './settings-form.ts'

/** What is known of the credentials as they stand in the form right now. */
export type Verdict =
  | { kind: 'untested' }
  | { kind: 'verified'; note: string | undefined }
  | { kind: 'failed'; error: string }

const UNTESTED: Verdict = { kind: 'untested' }
const NOT_VERIFIED = 'Could not verify credentials. Please check your configuration.'

export function verdictOf({ success, error, note }: VerifyProviderResponse): Verdict {
  return success ? { kind: 'verified', note } : { kind: 'failed', error: error || NOT_VERIFIED }
}

export interface SettingsState {
  /** As they were read last: what differs from them was changed here. */
  stored: Settings
  form: SettingsForm
  /** The accounts as they stand in the form where nobody has typed. */
  untyped: SettingsForm['accounts']
  /** Apart from the form: a test says nothing about it, so typing it takes no verdict back. */
  signingKeys: Record<ProviderName, string>
  /** What was switched and is not stored yet; the others are as stored. */
  habits: Partial<MailHabits>
  verdict: Verdict
}

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
  | { kind: 'saved'; sent: SettingsState; stored: Settings }
  | { kind: 'changed elsewhere'; stored: Settings }

export function startingState(stored: Settings): SettingsState {
  const form = formOf(stored)
  return {
    stored,
    form,
    untyped: form.accounts,
    signingKeys: { resend: '', smtp: '', sendgrid: '', mailgun: '', ses: '' },
    habits: {},
    verdict: UNTESTED,
  }
}

/**
 * Whether anything stands in the form that leaving would lose. What was `accepted` is stored, but it is not in `stored`
 * before that has been read again.
 */
export const isUnsaved = (state: SettingsState, accepted: SettingsState | null): boolean =>
  accepted?.stored === state.stored ? isTypedBeside(accepted, state) : isTyped(state)

/** To look at another provider is not to type. */
function isTyped(state: SettingsState): boolean {
  const { form, stored } = state
  return (
    ProviderName.options.some((provider) => isAccountTyped(state, provider)) ||
    SENDER.some((field) => form[field] !== stored[field]) ||
    Object.keys(changedHabits(state)).length > 0
  )
}

/** Since it was sent, or for another provider. */
function isTypedBeside(sent: SettingsState, state: SettingsState): boolean {
  const { form, signingKeys, habits, stored } = state
  return (
    ProviderName.options.some((provider) =>
      provider === sent.form.provider
        ? form.accounts[provider] !== sent.form.accounts[provider] ||
          signingKeys[provider] !== sent.signingKeys[provider]
        : isAccountTyped(state, provider),
    ) ||
    SENDER.some((field) => form[field] !== sent.form[field]) ||
    HABITS.some((habit) => (habits[habit] ?? stored[habit]) !== (sent.habits[habit] ?? stored[habit]))
  )
}

function isAccountTyped({ form, untyped, signingKeys }: SettingsState, provider: ProviderName): boolean {
  const [typed, before] = [form.accounts[provider], untyped[provider]]
  const fields = Object.keys(before) as (keyof AccountFields)[]
  return fields.some((field) => typed[field] !== before[field]) || signingKeys[provider] !== ''
}

/** Without those that were switched back. */
export function changedHabits({ habits, stored }: SettingsState): Partial<MailHabits> {
  const changed = HABITS.filter((habit) => habits[habit] !== undefined && habits[habit] !== stored[habit])
  return Object.fromEntries(changed.map((habit) => [habit, habits[habit]]))
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
    case 'changed elsewhere':
      return changedElsewhere(state, action.stored)
  }
}

const changed = (state: SettingsState, form: SettingsForm): SettingsState => ({
  ...state,
  form,
  verdict: UNTESTED,
})

/** What was sent is now stored and leaves the form, secrets above all; what was typed since then stays. */
function saved(
  state: SettingsState,
  { sent, stored }: Extract<SettingsAction, { kind: 'saved' }>,
): SettingsState {
  const { provider } = stored
  const isProviderSent = sent.form.provider === provider
  const isKeyStored = isProviderSent && state.signingKeys[provider] === sent.signingKeys[provider]
  return {
    ...following(state, stored, isProviderSent ? sent.form : { ...sent.form, accounts: state.untyped }),
    signingKeys: isKeyStored ? { ...state.signingKeys, [provider]: '' } : state.signingKeys,
    habits: state.habits === sent.habits ? {} : state.habits,
    verdict: isProviderSent ? state.verdict : UNTESTED,
  }
}

/** An account that somebody was about to save stays in sight; whether it still works as it stands is to be seen. */
function changedElsewhere(state: SettingsState, stored: Settings): SettingsState {
  const { form, untyped } = state
  const followed = following(state, stored, { ...formOf(state.stored), accounts: untyped })
  const isInSight = isAccountTyped(state, form.provider)
  const provider = isInSight ? form.provider : followed.form.provider
  return { ...followed, form: { ...followed.form, provider }, verdict: UNTESTED }
}

/** Whatever still stands in the form as it stood `before` is from now on as stored. */
function following(state: SettingsState, stored: Settings, before: SettingsForm): SettingsState {
  const { form, untyped } = state
  const { provider } = stored
  const next = formOf(stored)
  const { [provider]: account } = next.accounts
  const isAccountAsBefore = form.accounts[provider] === before.accounts[provider]
  return {
    ...state,
    stored,
    untyped: { ...untyped, [provider]: account },
    form: {
      provider: form.provider === before.provider ? next.provider : form.provider,
      accounts: isAccountAsBefore ? { ...form.accounts, [provider]: account } : form.accounts,
      fromName: form.fromName === before.fromName ? next.fromName : form.fromName,
      fromEmail: form.fromEmail === before.fromEmail ? next.fromEmail : form.fromEmail,
      sendFromOwnAddress:
        form.sendFromOwnAddress === before.sendFromOwnAddress
          ? next.sendFromOwnAddress
          : form.sendFromOwnAddress,
    },
  }
}
