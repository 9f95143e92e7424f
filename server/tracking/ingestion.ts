import type { DeliveryService } from '../delivery/service.ts'
import type { ProviderEvent } from '../providers/events.ts'

/** Takes in what providers report, many calls in one commit. */
export type Ingestion = {
  /** Resolves once the events are stored for good. */
  record(account: string, events: readonly ProviderEvent[]): Promise<void>
}

/** Calls that come in meanwhile share a commit: some providers make one call for each event. */
const GATHER_MS = 5
/** A statement of this size takes some tens of milliseconds; more would keep others from their rows. */
const BATCH_MAX = 1_000

type Report = {
  events: readonly ProviderEvent[]
  stored: () => void
  failed: (error: unknown) => void
}

export function createIngestion({ delivery }: { delivery: Pick<DeliveryService, 'record'> }): Ingestion {
  /** By account: one batch at a time, so that two never wait for each other's rows. */
  const waiting = new Map<string, Report[]>()
  const busy = new Set<string>()

  async function storeAll(account: string): Promise<void> {
    if (busy.has(account)) return
    busy.add(account)
    for (let reports = take(account); reports.length > 0; reports = take(account))
      try {
        await inBatches(
          account,
          reports.flatMap(({ events }) => [...events]),
        )
        for (const { stored } of reports) stored()
      } catch (error) {
        // Whoever reported hears of it and reports again; what was stored already is not stored twice.
        for (const { failed } of reports) failed(error)
      }
    busy.delete(account)
  }

  async function inBatches(account: string, events: readonly ProviderEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH_MAX)
      await delivery.record(account, events.slice(from, from + BATCH_MAX))
  }

  function take(account: string): Report[] {
    const reports = waiting.get(account) ?? []
    waiting.delete(account)
    return reports
  }

  return {
    record(account, events) {
      if (events.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const report = { events, stored: resolve, failed: reject }
        const others = waiting.get(account)
        if (others) {
          others.push(report)
          return
        }
        waiting.set(account, [report])
        setTimeout(() => void storeAll(account), GATHER_MS)
      })
    },
  }
}
