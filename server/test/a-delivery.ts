import { createDelivery, type DeliveryService } from '../delivery/service.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { aProvider } from './a-provider.ts'

type Own = Partial<Omit<Parameters<typeof createDelivery>[0], 'db'>>

/** The engine on a database of a test, without the rest of the application; what matters to the test is its own. */
export const aDelivery = (db: Database, own: Own = {}): DeliveryService =>
  createDelivery({
    db,
    log: createLog('silent'),
    letters: { of: async () => null },
    providerOf: async () => aProvider({}),
    letGo: async () => {},
    copiesOf: () => [],
    retryMs: 3_600_000,
    progressed: () => {},
    jobs: { enqueue: async () => {}, work: async () => {} },
    shared: { account: 'product', limits: { complaints: 0, bounces: 0 }, paused: async () => {} },
    ...own,
  })
