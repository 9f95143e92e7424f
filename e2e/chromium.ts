import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The one without windows first: the same engine, a third faster, since it draws no interface that nobody sees. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

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

/** A page of a test is gone before scripts that were made faster have paid for the making: a fifth of its whole time. */
export const FOR_SHORT_VISITS = ['--js-flags=--single-threaded --no-opt --no-maglev']

export const launchChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: [...ARGUMENTS, ...more] })

function findChromium(): string {
  const named = process.env['CHROMIUM_PATH']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (!found)
    throw new Error(
      `No Chromium was found: none of ${NAMES.join(', ')} is on the PATH; set CHROMIUM_PATH to its file`,
    )
  return found
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
