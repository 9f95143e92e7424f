import { SUPPRESSION_REASONS, type SuppressionReason } from '../../contract/suppressions.ts'
import type { Tone } from '../ui/tones.ts'

export const REASON_NAMES: Record<SuppressionReason, string> = {
  'hard-bounce': 'Hard bounce',
  'soft-bounces': 'Repeated soft bounces',
  complaint: 'Complaint',
  unsubscribed: 'Unsubscribed',
  manual: 'Added by hand',
}

export const REASON_TONES: Record<SuppressionReason, Tone> = {
  'hard-bounce': 'bounced',
  'soft-bounces': 'bounced',
  complaint: 'failed',
  unsubscribed: 'unsubscribed',
  manual: 'unconfirmed',
}

export const REASON_OPTIONS = [
  { value: 'all' as const, label: 'All reasons' },
  ...SUPPRESSION_REASONS.map((value) => ({ value, label: REASON_NAMES[value] })),
]

/** What to think of before somebody is mailed again. */
export const REMOVAL_WARNINGS: Record<SuppressionReason, string> = {
  'hard-bounce':
    'Their mail server said that this mailbox does not exist. Mail to it will probably come back again, and each mail that comes back harms your reputation as a sender.',
  'soft-bounces':
    'The last mails to this address all came back. Unless something has changed there, the next one will too, and each mail that comes back harms your reputation as a sender.',
  complaint:
    'They asked not to be mailed: they reported one of your emails as spam. Write to them again only if they have told you that they want it; another complaint harms your reputation as a sender.',
  unsubscribed:
    'They asked not to be mailed: they have unsubscribed. Write to them again only if they have told you that they want it; in many countries the law demands that.',
  manual: 'Your next emails will reach this address again.',
}
