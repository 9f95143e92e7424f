import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { SetupError } from './errors.mjs'
import { withLock } from './lock.mjs'
import { arePackagesReady, checkNode, installPackages, refuseToReplacePackages } from './packages.mjs'
import { buildWeb, isWebBuilt, isWebReady } from './web.mjs'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const OPTIONS = ['--web', '--browser', '--production']

/** @param {string[]} args */
export async function main(args) {
  try {
    const unknown = args.find((arg) => !OPTIONS.includes(arg))
    if (unknown) throw new SetupError(`Unknown option ${unknown}; setup.mjs takes ${OPTIONS.join(', ')}.`)
    const [web, browser, production] = OPTIONS.map((option) => args.includes(option))
    await setUp({ web, browser, production })
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    if (error.output) console.error(`\n${error.output.trim()}\n`)
    console.error(error.message)
    process.exitCode = 1
  }
}

/** @param {{ web: boolean, browser: boolean, production: boolean }} wanted */
async function setUp({ web, browser, production }) {
  // An operator who shipped a built web and left the build tools out (npm ci --omit=dev) is taken at their word: what
  // runs in production then holds no test or build tool. Only `npm start` can do without them, and what operators run
  // beside it (--production), which must not take the packages away from under it.
  const productionWillDo = production || (web && !browser && isWebBuilt(ROOT))
  const steps = () => {
    const packages = arePackagesReady(ROOT, { productionWillDo })
    return { packages: packages !== 'no', web: !web || packages === 'production' || isWebReady(ROOT) }
  }
  const before = steps()
  if (!before.packages || !before.web)
    await withLock(ROOT, async (child) => {
      // Another set-up may have done it all while this one waited.
      if (!steps().packages) {
        if (production) refuseToReplacePackages(ROOT)
        await installPackages(ROOT, child)
      }
      checkNode(ROOT)
      if (!steps().web) await buildWeb(ROOT, child)
    })
  else checkNode(ROOT)
  if (browser) await ensureBrowser()
}
