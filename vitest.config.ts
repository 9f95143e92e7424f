import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: './server/test/global-setup.ts',
    pool: 'forks',
    // By default one core is left to Vitest itself, which on two cores doubles the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Nothing of a file stays behind in a module: what it needs it makes for itself. To load everything anew for each of
    // two hundred files would take a tenth of the time.
    isolate: false,
    include: ['{server,web,contract,e2e,scripts}/**/*.test.ts'],
    // A browser journey or a crash recovery on a busy two-core machine; nothing waits for luck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
