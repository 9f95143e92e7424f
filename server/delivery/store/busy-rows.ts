import { setTimeout } from 'node:timers/promises'

/** A step takes a few milliseconds. */
const PAUSE_MS = 5
const PAUSES_MAX = 400

/**
 * Somebody else is writing deliveries that are wanted here too. Locked rows are never waited for with others in hand:
 * everybody locks many of them, each in an order of their own, and two would wait for each other. They come again in
 * the next round, of which so many are over.
 */
export async function pauseForBusyRows(rounds: number): Promise<void> {
  if (rounds === PAUSES_MAX) throw new Error('deliveries stayed locked by others for too long')
  await setTimeout(PAUSE_MS)
}
