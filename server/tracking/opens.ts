import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryTag } from '../delivery/identity.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { ProviderEvent } from '../providers/events.ts'
import { type Arrival, isMachineName, isTooSoon } from './machine-opens.ts'
import { findArrivals } from './store.ts'

/** Notes who has fetched the picture in a mail. Whoever fetches it waits for nothing of this. */
export type Opens = {
  note(delivery: DeliveryKey, fetched: { at: Date; userAgent: string }): void
  /** Stores what is still held; nothing may be noted after it. */
  close(): Promise<void>
}

/** Fetches that come in meanwhile share a commit. */
const GATHER_MS = 100
/** Made ready in a few milliseconds, during which no picture is answered. */
const BATCH_MAX = 250
/** Half a minute of the heaviest traffic, some tens of megabytes: for a database that is away for a moment. */
const HELD_MAX = 100_000
const RETRY_MS = 1_000
/** A batch that fails so often, with a database that answers, will fail for ever. */
const TRIES_MAX = 5
/** A stop has other things to do as well. */
const CLOSE_MS = 5_000

type Open = { key: DeliveryKey; isMachine: boolean; first: Date; last: Date }

type Needs = {
  db: Database
  delivery: Pick<DeliveryService, 'record'>
  log: Log
  heldMax?: number
}

export function createOpens({ db, delivery, log, heldMax = HELD_MAX }: Needs): Opens {
  /** A delivery stands here once for people and once for machines, however often it is fetched. */
  const held = new Map<string, Open>()
  let dropped = 0
  let storing: Promise<void> | null = null
  const closing = new AbortController()

  function hold(open: Open): void {
    const name = `${deliveryTag(open.key.campaignId, open.key.seq)} ${open.isMachine}`
    const known = held.get(name)
    if (known) {
      if (open.first < known.first) known.first = open.first
      if (open.last > known.last) known.last = open.last
    } else if (held.size >= heldMax) dropped += 1
    else held.set(name, open)
  }

  function take(): Open[] {
    const batch: Open[] = []
    for (const [name, open] of held) {
      if (batch.length === BATCH_MAX) break
      batch.push(open)
      held.delete(name)
    }
    return batch
  }

  async function storeAll(): Promise<void> {
    let failures = 0
    while (held.size > 0) {
      const batch = take()
      try {
        await store(batch)
        failures = 0
      } catch (error) {
        const isAway = isDatabaseAway(error)
        if (!isAway) failures += 1
        if (failures < TRIES_MAX) for (const open of batch) hold(open)
        else log.error({ err: error, opens: batch.length }, 'openings could not be stored and are lost')
        if (closing.signal.aborted) break
        if (!isAway) log.warn({ err: error }, 'storing openings failed; it is tried again')
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
      if (dropped > 0)
        log.warn({ opens: dropped }, 'more openings came in than could be held; these are lost')
      dropped = 0
    }
  }

  async function store(batch: readonly Open[]): Promise<void> {
    const arrivals = await findArrivals(
      db,
      batch.map(({ key }) => key),
    )
    await delivery.record(
      null,
      batch.flatMap((open, index) => eventsOf(open, arrivals[index] ?? null)),
    )
  }

  async function run(): Promise<void> {
    await sleep(GATHER_MS, undefined, { signal: closing.signal }).catch(() => {})
    await storeAll()
    storing = held.size > 0 && !closing.signal.aborted ? run() : null
  }

  return {
    note(key, { at, userAgent }) {
      hold({ key, isMachine: isMachineName(userAgent), first: at, last: at })
      storing ??= run()
    },

    async close() {
      closing.abort()
      await Promise.race([storing, sleep(CLOSE_MS, undefined, { ref: false })])
      if (held.size > 0)
        log.warn({ opens: held.size }, 'openings were not stored before the stop and are lost')
    },
  }
}

/** What came too soon is a machine's; somebody may have fetched it again since. */
function eventsOf({ key, isMachine, first, last }: Open, arrival: Arrival | null): ProviderEvent[] {
  if (!arrival) return []
  const tag = deliveryTag(key.campaignId, key.seq)
  const event = (at: Date, byMachine: boolean): ProviderEvent => ({
    // The same for every repetition: the first one is the news.
    id: `${tag} opened${byMachine ? ' by machine' : ''}`,
    tag,
    at,
    words: null,
    kind: 'opened',
    isMachine: byMachine,
  })
  if (isMachine) return [event(first, true)]
  if (!isTooSoon(first, arrival)) return [event(first, false)]
  return isTooSoon(last, arrival) ? [event(first, true)] : [event(first, true), event(last, false)]
}
