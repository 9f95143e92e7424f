/**
 * The meanings that have a colour. One meaning, one colour: in badges, bars, charts and dots alike.
 * `paused` shares amber with `bounced`, and `spam` shares red with `failed`: both ask for the same attention.
 */
export type Tone = 'delivered' | 'bounced' | 'failed' | 'pending' | 'opened' | 'unconfirmed'

/** Text on its soft ground. */
export const softTone: Record<Tone, string> = {
  delivered: 'bg-delivered-soft text-delivered-text',
  bounced: 'bg-bounced-soft text-bounced-text',
  failed: 'bg-failed-soft text-failed-text',
  pending: 'bg-pending-soft text-pending-text',
  opened: 'bg-opened-soft text-opened-text',
  unconfirmed: 'bg-unconfirmed-soft text-unconfirmed-text',
}

/** For bars and dots; never a ground for text. */
export const solidTone: Record<Tone, string> = {
  delivered: 'bg-delivered',
  bounced: 'bg-bounced',
  failed: 'bg-failed',
  pending: 'bg-pending',
  opened: 'bg-opened',
  unconfirmed: 'bg-unconfirmed',
}
