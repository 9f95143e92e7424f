import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { COMPILE_CACHE } from './server/test/compile-cache.ts'
import { TAGS } from './server/test/tags.ts'

/** Begun last, they would leave cores idle at the end; and one that waits goes well beside one that works. */
const LONG = [
  /every-screen/,
  /faults\/patience/,
  /faults\/kills/,
  /server\/main\.test/,
  /faults\/p/,
  /faults\/o/,
  /faults\//,
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((pattern) => pattern.test(moduleId))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** Whole installations of which seconds are demanded: these need the machine for themselves. */
const INSTALLATIONS = ['server/test/faults/*.test.ts', 'server/platform/embedded-postgres/*.test.ts']

/**
 * What the clock decides: whoever else computes at the same time would hide the difference that is looked for, or make
 * two hundred passwords take longer than people are let wait.
 */
const TIMED = ['server/auth/same-time.test.ts', 'server/auth/storm.test.ts']

const group = (
  name: string,
  groupOrder: number,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: {
    name,
    pool: 'forks',
    // For the processes that tests start, and hand their environment on to.
    env: COMPILE_CACHE,
    // Nothing of a file stays behind in a module: what it needs it makes for itself. To load everything anew for each of
    // two hundred files would take a tenth of the time.
    isolate: false,
    // Finds what hangs, also where others take four fifths of the machine; whoever promises a time measures it.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    sequence: { groupOrder },
    ...test,
  },
})

export default defineConfig({
  test: {
    globalSetup: './server/test/global-setup.ts',
    tags: TAGS,
    sequence: { sequencer: LongFirst },
    projects: [
      // By default one core is left to Vitest itself, which on two cores doubles the time.
      group('installations', 0, {
        include: INSTALLATIONS,
        // Each is several processes and their database: more of them at once only keep each other waiting.
        maxConcurrency: 3,
        maxWorkers: Math.max(2, availableParallelism() - 1),
      }),
      // Many of these wait for a time-out or another process: one more than there are cores uses that time.
      group('parts', 1, {
        include: ['{server,web,contract,e2e,scripts}/**/*.test.ts'],
        exclude: [...INSTALLATIONS, ...TIMED],
        // Pages that are open at the same time only slow each other down: with five in each file some waited for a minute.
        maxConcurrency: 2,
        maxWorkers: availableParallelism() + 1,
      }),
      group('timed', 2, { include: TIMED, maxWorkers: 1 }),
    ],
  },
})
