import type { DeliveryCounts, HistoryEntry } from './campaigns.ts'

/** Of whom it is not decided yet what becomes of them. */
export const waitingOf = ({ queued, inFlight }: Pick<DeliveryCounts, 'queued' | 'inFlight'>): number =>
  queued + inFlight

/** It can be paused, resumed and cancelled. */
export const isUnderWay = ({ state }: Pick<HistoryEntry, 'state'>): boolean =>
  state === 'sending' || state === 'paused'

/** There is still something to watch: also a long list takes a moment to be cancelled. */
export const isMoving = (standing: Pick<HistoryEntry, 'state' | 'counts'>): boolean =>
  isUnderWay(standing) || waitingOf(standing.counts) > 0
