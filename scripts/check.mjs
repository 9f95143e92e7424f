// `npm run check`: types, lint and format, the rule of imports. Seconds.
import { pathToFileURL } from 'node:url'
import { collect } from './run.mjs'

/** By name, for the rule of imports brings a `tsc` of its own; several at once, so one thread is enough for each. */
const types = (folder) => ['node_modules/typescript-7/bin/tsc', '--singleThreaded', '-p', folder]

const CHECKS = [
  ['types of the server', 'node', types('server')],
  ['types of the web', 'node', types('web')],
  ['types of the browser tests', 'node', types('e2e')],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  [
    'rule of imports',
    'depcruise',
    ['server', 'web', 'contract', 'e2e', '--config', '.dependency-cruiser.cjs'],
  ],
]

/** Runs all checks beside each other. */
export const check = () =>
  Promise.all(CHECKS.map(async ([name, command, args]) => ({ name, ...(await collect(command, args)) })))

/** Prints what failed; answers how many passed and failed. */
export function tell(results) {
  for (const { name, code, output } of results) {
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
    if (code !== 0) console.log(output)
  }
  const failed = results.filter(({ code }) => code !== 0).length
  return { passed: results.length - failed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { failed } = tell(await check())
  process.exit(failed === 0 ? 0 : 1)
}
