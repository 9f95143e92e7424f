import { setTimeout as sleep } from 'node:timers/promises'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * For tests that count by days: whoever comes in the last minute of an hour, with which the day ends in some time zone,
 * begins after it. Else what was written today is looked at tomorrow.
 */
export async function inOneDay(): Promise<void> {
  const left = HOUR_MS - (Date.now() % HOUR_MS)
  if (left <= MINUTE_MS) await sleep(left)
}
