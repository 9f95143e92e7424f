// `npm run faults`: the fault suite at full size, as a table of what is demanded and what was measured. A word behind
// `--` runs one scenario: npm run faults -- R5. FAULTS=ci runs it small, FAULTS=long also lets the provider be down for
// ten minutes and R32 last an hour, FAULTS_SEED=3 repeats the chances of one run.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, show } from './run.mjs'

const wished = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'postrider-faults-'))
const figuresFile = join(folder, 'figures.jsonl')
const reportFile = join(folder, 'report.json')

await show(
  'vitest',
  [
    'run',
    '--config=server/test/faults/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...(wished.length > 0 ? [`--testNamePattern=^(${wished.join('|')}) `] : []),
  ],
  { env: { ...environment, FAULTS: process.env.FAULTS ?? 'full', FAULTS_REPORT: figuresFile } },
)

const figures = (await read(figuresFile)).split('\n').filter(Boolean).map(JSON.parse)
const tests = JSON.parse((await read(reportFile)) || '{"testResults":[]}').testResults.flatMap(
  ({ assertionResults }) => assertionResults,
)
await rm(folder, { recursive: true, force: true })

printFigures()
const passed = tests.filter(({ status }) => status === 'passed')
const failed = tests.filter(({ status }) => status === 'failed')
for (const { fullName, failureMessages } of failed)
  console.log(`✗ ${fullName}\n  ${failureMessages.join('\n').split('\n    at ')[0].replaceAll('\n', '\n  ')}`)
// A suite of which nothing was played has failed: it could not be loaded, or there is no such scenario.
const failures = failed.length || (passed.length === 0 ? 1 : 0)
console.log(`\n${passed.length} passed, ${failures} failed`)
process.exit(failures === 0 ? 0 : 1)

function printFigures() {
  const rows = figures
    .map(({ scenario, what, demanded, measured, holds }) => [
      holds ? '✓' : '✗',
      scenario,
      what,
      demanded,
      measured,
    ])
    .sort((a, b) => a[1].localeCompare(b[1], 'en', { numeric: true }))
  rows.unshift(['', 'scenario', 'figure', 'demanded', 'measured'])
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
  console.log()
}

function read(file) {
  return readFile(file, 'utf8').catch(() => '')
}
