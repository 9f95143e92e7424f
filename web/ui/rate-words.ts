import { PRESUMED_WORDS } from '../../contract/stats.ts'

/** What each rate is of, in a sentence. The server counts them so. */
export const RATE_WORDS = {
  success:
    'Accepted by the mail server, of all that were accepted or failed. Whoever is still waiting, unconfirmed, cancelled or left out is in neither.',
  failed: 'Failed, of all that Total Sent counts.',
  bounce: 'Came back, of all that were accepted.',
  spam: 'Reported as spam, of all that were accepted.',
  open: 'Opened, of all that were delivered. Where a provider reports no deliveries, everybody counts whose mail was accepted and did not come back. What Apple Mail and scanners fetch by themselves does not count.',
} as const

/** What the largest number of the dashboard is made of. */
export const TOTAL_WORDS =
  'Accepted, failed, pending and unconfirmed together. Whoever was left out or cancelled was sent nothing, and is not in it.'

/** Which day of the chart an email stands on. */
export const ACTIVITY_WORDS =
  'Accepted by the mail server. Each email counts on the day on which you sent it off, also what left later, after a pause for example.'

/** Of a campaign, several, or all. */
export const deliveryWords = (isPresumed: boolean): string =>
  `Delivered, of all that were accepted.${isPresumed ? ` ${PRESUMED_WORDS}` : ''}`
