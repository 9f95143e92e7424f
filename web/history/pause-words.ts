import type { HistoryEntry } from '../../contract/campaigns.ts'

type Pause = Pick<HistoryEntry, 'pausedReason' | 'resumesItself'>

/** Why it waits. Without a reason it was a person. */
export function pauseWords({ pausedReason }: Pause): string {
  if (pausedReason === null) return 'Paused. Nobody else gets this email until it is resumed.'
  const reason = pausedReason.replace(/\.$/, '')
  // Some reasons say that themselves.
  return reason.startsWith('Paused') ? `${reason}.` : `Paused: ${reason}.`
}

/** What has to happen for it to go on, where the button beside it does not say it already. */
export function resumeWords({ pausedReason, resumesItself }: Pause): string {
  if (resumesItself) return 'It goes on by itself as soon as the provider takes mail again.'
  return pausedReason === null ? '' : 'It waits until you resume it.'
}
