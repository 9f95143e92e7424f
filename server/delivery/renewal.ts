import type { Database } from '../platform/database.ts'
import { renewLeases } from './store/leases.ts'
import type { WindowRun } from './window-run.ts'

/** Keeps the windows in hand; whatever was taken over while we were away is lost to us: these are answered. */
export async function renewAll(db: Database, mine: readonly WindowRun[]): Promise<WindowRun[]> {
  if (mine.length === 0) return []
  const askedAt = performance.now()
  const kept = await renewLeases(
    db,
    mine.map(({ key }) => key),
  )
  for (const window of mine) if (kept.has(window.key.id)) window.renewed(askedAt)
  // One that has just been given back is missing too; it is no longer asked for anything.
  const missing = mine.filter(({ key }) => !kept.has(key.id))
  for (const window of missing) window.lose()
  return missing
}
