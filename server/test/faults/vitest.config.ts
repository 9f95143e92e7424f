import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const folder = 'server/test/faults'

const group = (
  name: string,
  groupOrder: number,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: {
    name,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 900_000,
    sequence: { groupOrder },
    ...test,
  },
})

/** The fault suite alone and at full size, one file after the other, so that each has the machine for itself. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    globalSetup: './server/test/global-setup.ts',
    projects: [
      // A worker that is killed starts anew at once, which takes a core for a second: with five installations at once the
      // machine did little else, and what is promised of one was measured of a fifth.
      group('kills', 0, { include: [`${folder}/kills.test.ts`], maxConcurrency: 2 }),
      group('others', 1, {
        include: [`${folder}/*.test.ts`],
        exclude: [`${folder}/kills.test.ts`, `${folder}/auditor.test.ts`],
      }),
    ],
  },
})
