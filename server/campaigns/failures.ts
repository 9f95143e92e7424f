import type { Database } from '../platform/database.ts'
import { countReasons, type Extent } from './store/deliveries.ts'

/** `reason` in the words of the provider; null where it gave none. */
export type Failures = {
  reasons: { reason: string | null; count: number }[]
  /** How many failures these are: fewer than there are, where reading all of them would take too long. */
  read: number
}

/** About so long somebody waits for it, whatever there is to be read. */
const READ_MS = 1_000
/** A twentieth of a second of the database's time. */
const AT_ONCE = 20_000
/** Who has as many reasons has a name or a number in each of them: more of those would tell nobody anything. */
const REASONS_MAX = 2_000

export async function failuresOf(
  db: Database,
  campaignId: string,
  { lastSeq, counts }: Pick<Extent, 'lastSeq' | 'counts'>,
): Promise<Failures> {
  const deadline = performance.now() + READ_MS
  const found = new Map<string | null, number>()
  let read = 0
  for (let after = 0; after < lastSeq && read < counts.failed; after += AT_ONCE) {
    const isEnough = performance.now() > deadline || found.size > REASONS_MAX
    if (read > 0 && isEnough) break
    for (const { reason, count } of await countReasons(db, campaignId, { after, upTo: after + AT_ONCE })) {
      found.set(reason, (found.get(reason) ?? 0) + count)
      read += count
    }
  }
  const reasons = [...found].map(([reason, count]) => ({ reason, count }))
  return { reasons: reasons.sort((a, b) => b.count - a.count), read }
}
