import { describe, expect, it } from 'vitest'
import type { ProviderName } from '../../contract/settings.ts'
import { isUnsaved, type SettingsAction, startingState } from './settings-state.ts'
import { aStored, having } from './testing.ts'

describe('what leaving would lose', () => {
  const settings = aStored({ provider: 'smtp', smtpHost: 'mail.example.test', hasSmtpPassword: true })
  const chosen = (provider: ProviderName): SettingsAction => ({ kind: 'provider chosen', provider })

  it('is nothing where other providers were only looked at', () => {
    expect(isUnsaved(having(startingState(settings), chosen('ses'), chosen('sendgrid')), null)).toBe(false)
  })

  it.each<SettingsAction>([
    { kind: 'account typed', fields: { apiKey: 'SG.1' } },
    { kind: 'signing key typed', text: 'MFkw' },
  ])('is also what was typed for a provider that is not shown any more: $kind', (typing) => {
    const state = having(startingState(settings), chosen('sendgrid'), typing, chosen('smtp'))
    expect(isUnsaved(state, null)).toBe(true)
    expect(isUnsaved(having(state, chosen('resend')), null)).toBe(true)
  })

  it('is nothing once it is saved, though the provider before is another', () => {
    const state = having(startingState(settings), chosen('sendgrid'), {
      kind: 'account typed',
      fields: { apiKey: 'SG.1' },
    })
    const stored = aStored({ provider: 'sendgrid', hasApiKey: true })
    expect(isUnsaved(having(state, { kind: 'saved', sent: state, stored }), null)).toBe(false)
  })

  const sent = having(
    startingState(settings),
    { kind: 'account typed', fields: { smtpPassword: 'new' } },
    { kind: 'sender changed', fields: { fromName: 'Ann Keller' } },
    { kind: 'habit switched', habits: { trackOpens: false } },
  )

  it('is nothing that was accepted, before it is read again too', () => {
    expect(isUnsaved(sent, null)).toBe(true)
    expect(isUnsaved(sent, sent)).toBe(false)
    expect(isUnsaved(having(sent, chosen('ses')), sent)).toBe(false)
  })

  it.each<SettingsAction[]>([
    [{ kind: 'account typed', fields: { smtpPassword: 'newer' } }],
    [{ kind: 'signing key typed', text: 'MFkw' }],
    [{ kind: 'sender changed', fields: { fromName: 'Ann K.' } }],
    [{ kind: 'habit switched', habits: { trackOpens: true } }],
    [chosen('sendgrid'), { kind: 'account typed', fields: { apiKey: 'SG.1' } }],
  ])('is what was typed after that was sent: %j', (...typing) => {
    expect(isUnsaved(having(sent, ...typing), sent)).toBe(true)
  })

  it('is, once it was read that others have replaced it, the same words typed again', () => {
    const read = having(sent, { kind: 'saved', sent, stored: { ...settings, fromName: 'Elsewhere' } })
    const again = having(read, { kind: 'sender changed', fields: { fromName: 'Ann Keller' } })
    expect([isUnsaved(read, sent), isUnsaved(again, sent)]).toEqual([false, true])
  })
})
