import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../scripts/setup/browser.mjs'

/** No call of its own to anywhere: what a test sees on the wire is then the application's doing. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page of a test is gone before the dearest way to make its scripts faster has paid; the cheaper ones do, measured. */
export const FOR_SHORT_VISITS = ['--js-flags=--single-threaded --no-opt']

export const launchChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: [...ARGUMENTS, ...more] })

function findChromium(): string {
  const found = findBrowser()
  if (!found) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to its file')
  return found
}
