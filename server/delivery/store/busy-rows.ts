import { setTimeout } from 'node:timers/promises'
import { FROZEN_MS } from '../../platform/database.ts'

/** A step takes a few milliseconds. */
const PAUSE_MS = 5
/** A worker that is frozen keeps its locks until PostgreSQL ends its connection. */
const PATIENCE_MS = 2 * FROZEN_MS

/**
 * Somebody else is writing deliveries that are wanted here too. Locked rows are never waited for with others in hand:
 * everybody locks many of them, each in an order of their own, and two would wait for each other. They come again in
 * the next round, of which this makes the pauses.
 */
export function createPauses(): () => Promise<void> {
  const began = performance.now()
  return async () => {
    if (performance.now() - began > PATIENCE_MS)
      throw new Error('deliveries stayed locked by others for too long')
    await setTimeout(PAUSE_MS)
  }
}
