// `npm test`: the checks and the tests that every change has to pass. `npm run test:all` (`--all`) adds the thorough ones:
// further ways in which a promise could break that `npm test` keeps too. Words behind `--` go to Vitest, and whoever names
// something gets all of it, for example: npm test -- server/auth
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check, tell } from './check.mjs'
import { environment, show } from './run.mjs'
import { aTestFolder } from './test-folder.mjs'

const args = process.argv.slice(2)
const isShort = args.length === 0
const chosen = isShort ? ['--tagsFilter=!thorough'] : args.filter((arg) => arg !== '--all')

const folder = await aTestFolder()
const report = join(folder, 'report.json')

// Beside the tests, on time that nobody else wants: the first of these mostly wait. What was found is told at the end.
const checking = check()
const code = await show(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...chosen],
  { env: { ...environment, TMPDIR: folder } },
)
const checks = tell(await checking)
const tests = await readFile(report, 'utf8')
  .then(JSON.parse)
  .catch(() => ({ numPassedTests: 0, numFailedTests: 1 }))
await rm(folder, { recursive: true, force: true })

// A file that cannot even be loaded has no failed test, yet it fails.
const failed = checks.failed + Math.max(tests.numFailedTests, code === 0 ? 0 : 1)
if (isShort) console.log('\nThe thorough tests were left out; npm run test:all runs them too.')
console.log(`\n${checks.passed + tests.numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
