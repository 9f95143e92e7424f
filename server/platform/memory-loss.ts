/** One share of a memory that many have together. */
export type Holder = {
  owner: string
  held: number
  grownAt: number
  waits: boolean
  /** Null where nobody may take it away. */
  lose: (() => void) | null
}

export type Claim = { claimant: Holder; bytes: number }

/**
 * Who has to give way to a claim, one after the other: what has stalled; then, of the owner who holds most, the share
 * that has grown least lately, as long as that owner would still hold more than the claimant. Everybody is looked at
 * once: there may be thousands, and as many who claim.
 */
export function* inOrderOfLoss(
  holders: Iterable<Holder>,
  { claimant, bytes }: Claim,
  hasStalled: (holder: Holder) => boolean,
): Generator<Holder> {
  const others = [...holders]
    .filter((holder) => holder !== claimant && holder.held > 0)
    .sort((one, other) => one.grownAt - other.grownAt)
  const isLost = (holder: Holder): boolean => holder.lose !== null && hasStalled(holder)
  yield* others.filter(isLost)
  const ofOwners = Map.groupBy(
    others.filter((holder) => !isLost(holder)),
    ({ owner }) => owner,
  )
  const own = claimant.held + sumOf(ofOwners.get(claimant.owner) ?? [])
  ofOwners.delete(claimant.owner)
  const owners = [...ofOwners.values()].map((shares) => ({ held: sumOf(shares), queue: givingUp(shares) }))
  for (;;) {
    const rich = owners.filter(({ held, queue }) => held > own + bytes && queue.length > 0)
    const richest = rich.reduce((most, owner) => (owner.held > most.held ? owner : most), rich[0] ?? NOBODY)
    const loser = richest.queue.shift()
    if (!loser) return
    richest.held -= loser.held
    yield loser
  }
}

const NOBODY: { held: number; queue: Holder[] } = { held: 0, queue: [] }

const sumOf = (shares: readonly Holder[]): number => shares.reduce((sum, { held }) => sum + held, 0)

/** Of one owner, who keeps the largest: what comes in well is let through to its end. */
function givingUp(shares: readonly Holder[]): Holder[] {
  const most = shares.reduce((largest, { held }) => Math.max(largest, held), 0)
  const largest = shares.filter(({ held }) => held === most)
  const kept = largest.find(({ lose }) => lose === null) ?? largest.at(-1)
  return shares.filter((share) => share.lose !== null && share !== kept)
}
