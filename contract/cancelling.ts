import type { HistoryEntry } from './campaigns.ts'

type Cancelled = Pick<HistoryEntry, 'counts' | 'isRestored' | 'round'>

/**
 * What is said before a campaign is cancelled, on the screen and in Telegram: what stops, and what does not. Each writes
 * numbers in its own way.
 */
export function cancelWords(campaign: Cancelled, inWords: (count: number) => string): string[] {
  const { queued, inFlight, accepted } = campaign.counts
  const waiting = queued === 1 ? '1 recipient who is' : `${inWords(queued)} recipients who are`
  const stops = queued > 0 ? `${waiting} still waiting ${consequenceOf(campaign)}` : ALL_ON_THEIR_WAY
  const gone = accepted + inFlight
  const left = gone === 1 ? '1 email is' : `${inWords(gone)} emails are`
  const where = inFlight > 0 ? 'already, or on the way there,' : 'already'
  const words = `${stops} This cannot be undone.`
  return gone > 0 ? [words, `${left} with the mail provider ${where} and cannot be called back.`] : [words]
}

/** Those on the way may be put off, and would be tried again. */
const ALL_ON_THEIR_WAY =
  'Every email is on its way already. Whoever the mail provider puts off will not be tried again.'

/** For those who wait. Sent again, some of them may have it already, whatever happens now. */
function consequenceOf({ isRestored, round }: Cancelled): string {
  if (isRestored)
    return 'will not be sent this email from here, and will be unconfirmed: whether it was sent to them after the copy of the database was made, nobody can say.'
  if (round > 1) return 'will not be sent this email. An earlier try may have reached some of them.'
  return 'will not get this email.'
}
