import type { Stats } from './stats.ts'

/** In percent; above them the sender's good name is in danger. */
export const BOUNCE_LIMIT = 5
export const SPAM_LIMIT = 0.1

type Bounces = Pick<Stats, 'bounceRate' | 'totalBounced' | 'totalSent'>
type Complaints = Pick<Stats, 'spamRate' | 'totalComplained' | 'totalSent'>

export const areBouncesAlarming = ({ bounceRate, totalBounced, totalSent }: Bounces): boolean =>
  isAbove(BOUNCE_LIMIT, bounceRate, totalBounced, totalSent)

export const areComplaintsAlarming = ({ spamRate, totalComplained, totalSent }: Complaints): boolean =>
  isAbove(SPAM_LIMIT, spamRate, totalComplained, totalSent)

/** The rate is rounded, which could hide a true 0.104 % behind a limit of 0.1 %. */
const isAbove = (limit: number, rate: string, part: number, whole: number): boolean =>
  Math.max(Number(rate), shareOf(part, whole)) > limit

/** In percent. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? (part / whole) * 100 : 0)
