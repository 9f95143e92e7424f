import { describe, expect, it } from 'vitest'
import {
  isUnsaved,
  type SettingsAction,
  type SettingsState,
  startingState,
  verdictOf,
} from './settings-state.ts'
import { aStored, having } from './testing.ts'

const start = (differences = {}) => startingState(aStored(differences))

const verified = (state: SettingsState): SettingsState =>
  having(state, { kind: 'tested', form: state.form, verdict: verdictOf({ success: true }) })

describe('the verdict on the credentials', () => {
  it('is out at first, also for stored ones, and good after a good test', () => {
    const state = start({ provider: 'sendgrid', hasApiKey: true })
    expect(state.verdict.kind).toBe('untested')
    expect(verified(state).verdict.kind).toBe('verified')
  })

  it.each<SettingsAction>([
    { kind: 'provider chosen', provider: 'ses' },
    { kind: 'account typed', fields: { smtpHost: 'x' } },
    { kind: 'account typed', fields: { smtpPort: '25' } },
    { kind: 'account typed', fields: { smtpUser: 'x' } },
    { kind: 'account typed', fields: { smtpPassword: 'x' } },
    { kind: 'account typed', fields: { apiKey: 'x' } },
    { kind: 'sender changed', fields: { fromName: 'x' } },
    { kind: 'sender changed', fields: { fromEmail: 'x' } },
    { kind: 'sender changed', fields: { sendFromOwnAddress: true } },
  ])('is taken back by $kind $fields', (action) => {
    expect(having(verified(start({ provider: 'smtp' })), action).verdict).toEqual({ kind: 'untested' })
  })

  it('survives a signing key, which no test looks at', () => {
    const state = having(verified(start({ provider: 'ses' })), { kind: 'signing key typed', text: 'arn' })
    expect(state.verdict.kind).toBe('verified')
  })

  it('survives a switched habit, which no test looks at either', () => {
    const state = having(verified(start({ provider: 'smtp' })), {
      kind: 'habit switched',
      habits: { trackOpens: false },
    })
    expect(state.verdict.kind).toBe('verified')
    expect(state.habits).toEqual({ trackOpens: false })
  })

  it('does not hold for what was typed while the test ran', () => {
    const { form } = start()
    const typed = having(start(), { kind: 'account typed', fields: { apiKey: 'later' } })
    expect(having(typed, { kind: 'tested', form, verdict: verdictOf({ success: true }) })).toBe(typed)
  })

  it('is taken back by a second test that fails', () => {
    const state = verified(start())
    const answer = { success: false, error: 'The key was revoked' }
    expect(having(state, { kind: 'tested', form: state.form, verdict: verdictOf(answer) }).verdict).toEqual({
      kind: 'failed',
      error: 'The key was revoked',
    })
  })

  it('has a sentence of its own when the provider gives none', () => {
    expect(verdictOf({ success: false })).toEqual({
      kind: 'failed',
      error: 'Could not verify credentials. Please check your configuration.',
    })
  })
})

describe('another provider', () => {
  it('comes with its usual values', () => {
    const { accounts } = start().form
    expect(accounts.smtp.smtpPort).toBe('587')
    expect(accounts.ses.smtpHost).toBe('us-east-1')
  })

  it('finds again what was typed for it before', () => {
    const state = having(
      start(),
      { kind: 'provider chosen', provider: 'sendgrid' },
      { kind: 'account typed', fields: { apiKey: 'SG.1' } },
      { kind: 'signing key typed', text: 'MFkw' },
      { kind: 'provider chosen', provider: 'mailgun' },
      { kind: 'account typed', fields: { apiKey: 'mg-1' } },
      { kind: 'provider chosen', provider: 'sendgrid' },
    )
    expect(state.form.accounts.sendgrid.apiKey).toBe('SG.1')
    expect(state.form.accounts.mailgun.apiKey).toBe('mg-1')
    expect(state.signingKeys).toMatchObject({ sendgrid: 'MFkw', mailgun: '' })
  })
})

describe('after saving', () => {
  const typed = verified(
    having(
      start(),
      { kind: 'provider chosen', provider: 'mailgun' },
      { kind: 'account typed', fields: { apiKey: 'mg-1' } },
      { kind: 'provider chosen', provider: 'sendgrid' },
      { kind: 'account typed', fields: { apiKey: 'SG.1' } },
      { kind: 'signing key typed', text: 'MFkw' },
    ),
  )
  const stored = aStored({ provider: 'sendgrid', hasApiKey: true, fromName: 'Ann, trimmed' })

  it('the secrets that are stored leave the form, and the verdict stays', () => {
    const state = having(typed, { kind: 'saved', sent: typed, stored })
    expect(state.form.accounts.sendgrid.apiKey).toBe('')
    expect(state.signingKeys.sendgrid).toBe('')
    expect(state.form.fromName).toBe('Ann, trimmed')
    expect(state.verdict.kind).toBe('verified')
  })

  it('what was typed for another provider is still there', () => {
    expect(having(typed, { kind: 'saved', sent: typed, stored }).form.accounts.mailgun.apiKey).toBe('mg-1')
  })

  it('what was typed meanwhile is still there', () => {
    const state = having(
      typed,
      { kind: 'account typed', fields: { apiKey: 'SG.2' } },
      { kind: 'signing key typed', text: 'MFkw2' },
      { kind: 'saved', sent: typed, stored },
    )
    expect(state.form.accounts.sendgrid.apiKey).toBe('SG.2')
    expect(state.signingKeys.sendgrid).toBe('MFkw2')
  })
})

describe('what was changed elsewhere meanwhile', () => {
  const elsewhere = aStored({ provider: 'smtp', smtpHost: 'mail.example.test', fromName: 'Elsewhere' })
  const name: SettingsAction = { kind: 'sender changed', fields: { fromName: 'Here' } }

  it('is in the form once the next save has been read, and does not count as typed here', () => {
    const sent = having(start(), { kind: 'habit switched', habits: { trackOpens: false } })
    const state = having(sent, { kind: 'saved', sent, stored: elsewhere })
    expect(state.form).toMatchObject({ provider: 'smtp', fromName: 'Elsewhere' })
    expect(state.form.accounts.smtp.smtpHost).toBe('mail.example.test')
    expect(isUnsaved(state, null)).toBe(false)
  })

  it('is also in a form that was typed in since, but for what was typed', () => {
    const sent = having(start(), { kind: 'habit switched', habits: { trackOpens: false } })
    const email: SettingsAction = { kind: 'sender changed', fields: { fromEmail: 'here@example.test' } }
    const state = having(sent, email, { kind: 'saved', sent, stored: elsewhere })
    expect(state.form).toMatchObject({ fromName: 'Elsewhere', fromEmail: 'here@example.test' })
    expect(isUnsaved(state, null)).toBe(true)
  })

  it('vouches for no account that nobody has tested here', () => {
    const sent = having(verified(start()), { kind: 'habit switched', habits: { trackOpens: false } })
    expect(having(sent, { kind: 'saved', sent, stored: elsewhere }).verdict.kind).toBe('untested')
  })

  it('takes nothing away that was typed, neither for the account that is stored now nor for another', () => {
    const state = having(
      verified(
        having(
          start(),
          { kind: 'provider chosen', provider: 'smtp' },
          { kind: 'account typed', fields: { smtpHost: 'typed.example.test' } },
          { kind: 'provider chosen', provider: 'sendgrid' },
          { kind: 'account typed', fields: { apiKey: 'SG.1' } },
          name,
        ),
      ),
      { kind: 'changed elsewhere', stored: elsewhere },
    )
    expect(state.form).toMatchObject({ provider: 'sendgrid', fromName: 'Here' })
    expect(state.form.accounts.smtp.smtpHost).toBe('typed.example.test')
    expect(state.form.accounts.sendgrid.apiKey).toBe('SG.1')
    expect(state.stored.provider, 'which the next save knowingly replaces').toBe('smtp')
    expect(state.verdict.kind).toBe('untested')
  })

  it('is in sight of whoever had changed nothing about the account, with what they did change', () => {
    const state = having(
      start(),
      name,
      { kind: 'habit switched', habits: { trackOpens: false } },
      { kind: 'changed elsewhere', stored: elsewhere },
    )
    expect(state.form).toMatchObject({ provider: 'smtp', fromName: 'Here' })
    expect(state.habits).toEqual({ trackOpens: false })
  })
})

describe('a habit', () => {
  it('that was saved is as stored again, and one that was switched meanwhile is not', () => {
    const sent = having(start(), { kind: 'habit switched', habits: { trackOpens: false } })
    const stored = aStored({ trackOpens: false })
    expect(having(sent, { kind: 'saved', sent, stored }).habits).toEqual({})
    const later = having(sent, { kind: 'habit switched', habits: { alwaysUnsubscribe: true } })
    expect(having(later, { kind: 'saved', sent, stored }).habits).toEqual({
      trackOpens: false,
      alwaysUnsubscribe: true,
    })
  })
})
