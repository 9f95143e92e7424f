import type { ProviderName } from '../../contract/settings.ts'
import { AppError } from '../platform/errors.ts'
import { requireOneLine } from '../platform/text-safety.ts'
import { areSendgridKeys } from '../providers/sendgrid-signature.ts'
import { topicsIn } from '../providers/sns-addresses.ts'

/** Refuses what cannot be the key of a provider's reports, so that a slip is found here and not by missing events. */
export function requireWebhookKey(provider: ProviderName, key: string): void {
  requireOneLine('The webhook key', key)
  switch (provider) {
    case 'sendgrid':
      if (!areSendgridKeys(key))
        throw new AppError(
          400,
          'This is not a verification key of SendGrid; it begins with MFkw and is public',
        )
      return
    case 'ses':
      if (topicsIn(key).length === 0)
        throw new AppError(
          400,
          'This is not the ARN of an SNS topic; it looks like arn:aws:sns:us-east-1:123456789012:events',
        )
      return
    case 'mailgun':
      if (!/^[\x21-\x7e]{16,200}$/.test(key))
        throw new AppError(
          400,
          'This is not an HTTP webhook signing key of Mailgun; copy it again from there',
        )
      return
    default:
      throw new AppError(
        400,
        'This provider reports nothing to an address of yours, so it has no webhook key',
      )
  }
}
