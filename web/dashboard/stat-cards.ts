import {
  areBouncesAlarming,
  areComplaintsAlarming,
  BOUNCE_LIMIT,
  SPAM_LIMIT,
  shareOf,
} from '../../contract/alarming-rates.ts'
import type { Stats } from '../../contract/stats.ts'
import { deliveryWords, RATE_WORDS, TOTAL_WORDS } from '../ui/rate-words.ts'
import type { Tone } from '../ui/tones.ts'
import { inWords } from '../ui/words.ts'

/** Above its limit a rate endangers the sender's good name, and the card says so. */
export interface Alarm {
  word: 'Warning' | 'Danger'
  tone: 'bounced' | 'failed'
  limit: number
}

export interface StatCardContent {
  title: string
  value: number
  /** Of a rate, as many as the server gives it; null for a count. */
  decimals: number | null
  text: string
  /** The colour of what is counted; none for everything together. */
  tone: Tone | null
  alarm: Alarm | null
  /** What its rate is of, or what it counts; null where the title says it. */
  basis: string | null
}

export function sendingCards(stats: Stats): StatCardContent[] {
  const { total, totalSent, totalFailed, totalPending, successRate } = stats
  return [
    {
      ...count('Total Sent', total, total > 0 ? 'All time' : 'No emails sent yet', null),
      basis: TOTAL_WORDS,
    },
    {
      ...count('Successful', totalSent, `${successRate}% success rate`, 'delivered'),
      basis: RATE_WORDS.success,
    },
    {
      ...count(
        'Failed',
        totalFailed,
        total > 0 ? `${shareOf(totalFailed, total).toFixed(1)}%` : 'No failures',
        'failed',
      ),
      basis: RATE_WORDS.failed,
    },
    count('Pending', totalPending, totalPending > 0 ? 'In queue' : 'No pending emails', 'pending'),
  ]
}

export function engagementCards(stats: Stats): StatCardContent[] {
  const { totalDelivered, totalBounced, totalComplained, totalOpened } = stats
  const bounce: Alarm = { word: 'Warning', tone: 'bounced', limit: BOUNCE_LIMIT }
  const spam: Alarm = { word: 'Danger', tone: 'failed', limit: SPAM_LIMIT }
  return [
    {
      ...rate('Delivery Rate', stats.deliveryRate, `${inWords(totalDelivered)} delivered`, 'delivered'),
      basis: deliveryWords(stats.isDeliveryPresumed),
    },
    {
      ...rate('Bounce Rate', stats.bounceRate, `${inWords(totalBounced)} bounced`, 'bounced'),
      alarm: areBouncesAlarming(stats) ? bounce : null,
      basis: RATE_WORDS.bounce,
    },
    {
      ...rate('Spam Rate', stats.spamRate, `${inWords(totalComplained)} complaints`, 'failed'),
      alarm: areComplaintsAlarming(stats) ? spam : null,
      basis: RATE_WORDS.spam,
    },
    {
      ...rate('Open Rate', stats.openRate, `${inWords(totalOpened)} opened`, 'opened'),
      basis: RATE_WORDS.open,
    },
  ]
}

/** As the card shows it, also while it counts towards the value. */
export const formatValue = (value: number, decimals: number | null): string =>
  decimals === null ? inWords(Math.round(value)) : `${value.toFixed(decimals)}%`

const count = (title: string, value: number, text: string, tone: Tone | null): StatCardContent => ({
  title,
  value,
  decimals: null,
  text,
  tone,
  alarm: null,
  basis: null,
})

const rate = (title: string, value: string, text: string, tone: Tone): StatCardContent => ({
  ...count(title, Number(value), text, tone),
  decimals: value.split('.')[1]?.length ?? 0,
})
