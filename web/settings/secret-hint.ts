import type { Settings } from '../../contract/settings.ts'
import { PROVIDERS } from './providers.ts'
import { portOf, regionOf, type SettingsForm } from './settings-form.ts'

export const KEEP_STORED = 'One is stored. Leave blank to keep it.'

/**
 * What to say below the field of a secret. A stored one goes only to the place it was stored for: whoever could
 * send it to another host would have it read out there.
 */
export function secretHint(
  secret: 'smtpPassword' | 'apiKey',
  { provider, accounts }: SettingsForm,
  stored: Settings,
): string | undefined {
  const isStored = secret === 'apiKey' ? stored.hasApiKey : stored.hasSmtpPassword
  if (!isStored) return undefined
  if (provider !== stored.provider)
    return `Type it: the stored one belongs to ${PROVIDERS[stored.provider].name}.`
  const { smtpHost, smtpPort } = accounts[provider]
  if (provider === 'ses' && regionOf(smtpHost) !== regionOf(stored.smtpHost))
    return 'Type it again for another region.'
  const isSamePlace =
    smtpHost.trim().toLowerCase() === stored.smtpHost.toLowerCase() && portOf(smtpPort) === stored.smtpPort
  if (provider === 'smtp' && !isSamePlace) return 'Type it again for another host or port.'
  return KEEP_STORED
}
