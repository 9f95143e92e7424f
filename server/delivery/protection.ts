/** What a user's mails of late have come to, where they left by the address that all users share. */
export type Record = {
  /** Arrived, as far as the provider reports it; where it reports nothing, taken and not come back. */
  arrived: number
  bounced: number
  complained: number
}

/** In percent; 0 switches a limit off. */
export type Limits = { complaints: number; bounces: number }

/** Below these a rate says nothing: one complaint of ten is bad luck. */
const ARRIVED_MIN = 1_000
const TRIED_MIN = 500

/**
 * One user's bad list makes mailboxes everywhere refuse the mail of all. Null, or why nothing more may leave until a
 * person has looked.
 */
export function dangerOf({ arrived, bounced, complained }: Record, limits: Limits): string | null {
  const tried = arrived + bounced
  if (limits.complaints > 0 && arrived >= ARRIVED_MIN && percent(complained, arrived) > limits.complaints)
    return sentence(complained, arrived, 'delivered emails were reported as spam', limits.complaints)
  if (limits.bounces > 0 && tried >= TRIED_MIN && percent(bounced, tried) > limits.bounces)
    return sentence(bounced, tried, 'emails came back', limits.bounces)
  return null
}

const percent = (part: number, whole: number): number => (part / whole) * 100

const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

const sentence = (part: number, whole: number, what: string, limit: number): string =>
  `Paused to protect the sending address that everybody here shares: ${shown.format(part)} of your last ${shown.format(whole)} ${what} (${shown.format(percent(part, whole))} %, the limit is ${shown.format(limit)} %). Please check where these addresses come from before you resume`
