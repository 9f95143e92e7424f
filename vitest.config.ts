import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: './server/test/global-setup.ts',
    pool: 'forks',
    // Many tests wait, for a browser, a database that starts, a lease that runs out: one more than there are cores is busy.
    maxWorkers: availableParallelism() + 1,
    include: ['{server,web,contract,e2e,scripts}/**/*.test.ts'],
    // A browser journey or a crash recovery on a busy two-core machine; nothing waits for luck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
