/**
 * The meanings that have a colour. One meaning, one colour: in badges, bars, charts and dots alike.
 * `paused` shares amber with `bounced`, and `spam` shares red with `failed`: both ask for the same attention.
 * Who was sent nothing on purpose has no colour but a shape: cancelled is dark, left out is hollow.
 */
export type Tone =
  | 'delivered'
  | 'bounced'
  | 'failed'
  | 'pending'
  | 'opened'
  | 'machineOpened'
  | 'unconfirmed'
  | 'cancelled'
  | 'leftOut'
  | 'unsubscribed'

const neutral = 'bg-unconfirmed-soft text-unconfirmed-text'

/** Text on its soft ground. */
export const softTone: Record<Tone, string> = {
  delivered: 'bg-delivered-soft text-delivered-text',
  bounced: 'bg-bounced-soft text-bounced-text',
  failed: 'bg-failed-soft text-failed-text',
  pending: 'bg-pending-soft text-pending-text',
  opened: 'bg-opened-soft text-opened-text',
  machineOpened: neutral,
  unconfirmed: neutral,
  cancelled: neutral,
  leftOut: neutral,
  unsubscribed: neutral,
}

/** For bars and dots; never a ground for text. */
export const solidTone: Record<Tone, string> = {
  delivered: 'bg-delivered',
  bounced: 'bg-bounced',
  failed: 'bg-failed',
  pending: 'bg-pending',
  opened: 'bg-opened',
  machineOpened: 'bg-opened/60',
  unconfirmed: 'bg-unconfirmed',
  cancelled: 'bg-soft',
  leftOut: 'bg-card inset-ring-[1.5px] inset-ring-control',
  unsubscribed: 'bg-control',
}
