import type { Provider } from '../providers/provider.ts'

/** A provider that does what a test says, for what is tested without a mail. */
export const aProvider = (own: Partial<Provider>): Provider => ({
  name: 'Simulated',
  batchMax: 1,
  concurrency: 8,
  callsPerSecond: null,
  copiesPerSecond: () => null,
  verify: async () => ({ isGood: true, note: null }),
  repeatableMs: 0,
  identity: 'simulated',
  send: async () => [],
  check: async () => null,
  close: async () => {},
  ...own,
})
