import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The fault suite alone and at full size, one file after the other, so that each has the machine for itself. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    globalSetup: './server/test/global-setup.ts',
    pool: 'forks',
    fileParallelism: false,
    include: ['server/test/faults/*.test.ts'],
    exclude: ['server/test/faults/auditor.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
