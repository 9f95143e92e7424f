// `npm test`: the checks and every test. Words behind `--` go to Vitest, for example: npm test -- server/auth
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check, tell } from './check.mjs'
import { environment, show } from './run.mjs'
import { aTestFolder } from './test-folder.mjs'

const folder = await aTestFolder()
const report = join(folder, 'report.json')

// Before the tests, of which the first count seconds; what was found is told at the end, where it is seen.
const checked = await check()
const code = await show(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { env: { ...environment, TMPDIR: folder } },
)
const checks = tell(checked)
const tests = await readFile(report, 'utf8')
  .then(JSON.parse)
  .catch(() => ({ numPassedTests: 0, numFailedTests: 1 }))
await rm(folder, { recursive: true, force: true })

// A file that cannot even be loaded has no failed test, yet it fails.
const failed = checks.failed + Math.max(tests.numFailedTests, code === 0 ? 0 : 1)
console.log(`\n${checks.passed + tests.numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
