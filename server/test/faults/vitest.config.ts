import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TAGS } from '../tags.ts'

const folder = 'server/test/faults'
/** One file after the other, so that each has the machine for itself. */
const alone = { pool: 'forks' as const, maxWorkers: 1, testTimeout: 900_000, hookTimeout: 900_000 }

/** The fault suite alone and at full size. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    globalSetup: './server/test/global-setup.ts',
    tags: TAGS,
    projects: [
      {
        test: {
          ...alone,
          name: 'kills',
          include: [`${folder}/kills.test.ts`],
          // A worker that is killed starts anew at once, which takes a core for a second: with five installations at once
          // the machine did little else, and what is promised of one was measured of a fifth.
          maxConcurrency: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...alone,
          name: 'others',
          include: [`${folder}/*.test.ts`, 'server/mail-reading/mutations.test.ts'],
          exclude: [`${folder}/kills.test.ts`, `${folder}/auditor.test.ts`],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
