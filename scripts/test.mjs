// `npm test`: the checks and the tests that every change has to pass. `npm run test:all` (`--all`) adds the thorough ones:
// further ways in which a promise could break that `npm test` keeps too. Words behind `--` go to Vitest, and whoever names
// something gets all of it, for example: npm test -- server/auth
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check, tell } from './check.mjs'
import { environment, show } from './run.mjs'
import { aTestFolder } from './test-folder.mjs'

const args = process.argv.slice(2)
const options = args.filter((arg) => arg !== '--all')
const isShort = args.length === options.length && options.every((option) => option.startsWith('--'))
const chosen = isShort ? ['--tagsFilter=!thorough', ...options] : options

const folder = await aTestFolder()
const report = join(folder, 'report.json')

// Before the tests, of which the first count seconds; what was found is told at the end, where it is seen.
const checked = await check()
const code = await show(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...chosen],
  { env: { ...environment, TMPDIR: folder } },
)
const checks = tell(checked)
const tests = await readFile(report, 'utf8')
  .then(JSON.parse)
  .catch(() => ({ numPassedTests: 0, numFailedTests: 1 }))
await rm(folder, { recursive: true, force: true })

// A file that cannot even be loaded has no failed test, yet it fails.
const failed = checks.failed + Math.max(tests.numFailedTests, code === 0 ? 0 : 1)
if (isShort) console.log('\nThe thorough tests were left out; npm run test:all runs them too.')
console.log(`\n${checks.passed + tests.numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
