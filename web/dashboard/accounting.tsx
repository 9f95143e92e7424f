import type { Stats } from '../../contract/stats.ts'
import { FateBar } from '../ui/fate-bar.tsx'
import { accountOf } from './account-words.ts'

/**
 * Where everybody went, as one bar. Who is unconfirmed stands in no card of its own, and is named here: neither
 * among the successful nor among the failed, but not hidden either. Nor is who got nothing, on purpose.
 */
export function Accounting({ stats }: { stats: Stats }) {
  return (
    <div className="mt-3">
      {/* Its target is a finger high on a phone; the bar itself needs no such room. */}
      <div className="-my-3 relative md:my-0">
        <FateBar
          fate={{
            accepted: stats.totalSent,
            failed: stats.totalFailed,
            unconfirmed: stats.totalUnconfirmed,
            waiting: stats.totalPending,
            cancelled: stats.totalCancelled,
            suppressed: stats.totalSuppressed,
          }}
        />
      </div>
      <p className="min-h-10 text-muted text-sm md:min-h-5">{accountOf(stats)}</p>
    </div>
  )
}
