import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Minutes each. Begun last, they would leave a core idle at the end; and one that waits goes well beside one that works. */
const LONG = [/every-screen/, /faults\/patience/, /faults\//, /server\/main\.test/]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((pattern) => pattern.test(moduleId))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    globalSetup: './server/test/global-setup.ts',
    pool: 'forks',
    // By default one core is left to Vitest itself, which on two cores doubles the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongFirst },
    // Nothing of a file stays behind in a module: what it needs it makes for itself. To load everything anew for each of
    // two hundred files would take a tenth of the time.
    isolate: false,
    include: ['{server,web,contract,e2e,scripts}/**/*.test.ts'],
    // A browser journey or a crash recovery on a busy two-core machine; nothing waits for luck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
