import type { Database } from '../platform/database.ts'
import { renewLeases } from './store/leases.ts'
import type { WindowRun } from './window-run.ts'

/** Keeps the windows in hand; whatever was taken over while we were away is lost to us. Answers how many were. */
export async function renewAll(db: Database, windows: () => Iterable<WindowRun>): Promise<number> {
  const mine = [...windows()]
  if (mine.length === 0) return 0
  const askedAt = performance.now()
  const kept = await renewLeases(
    db,
    mine.map(({ key }) => key),
  )
  for (const window of mine) if (kept.has(window.key.id)) window.renewed(askedAt)
  const missing = mine.filter(({ key }) => !kept.has(key.id))
  for (const window of missing) window.lose()
  // One that was given back meanwhile is missing too, and was not lost.
  const inHand = new Set(windows())
  return missing.filter((window) => inHand.has(window)).length
}
