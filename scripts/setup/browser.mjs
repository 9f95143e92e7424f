import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from './errors.mjs'
import { run } from './run.mjs'

/** The one without windows first: the same engine, a third faster, since it draws no interface that nobody sees. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The tests drive the system's Chromium. */
export async function ensureBrowser() {
  const wished = process.env['CHROMIUM_PATH']
  if (wished) {
    if (isProgram(wished)) return
    throw new SetupError(
      `CHROMIUM_PATH names ${wished}, which is not a program. Set it to the path of Chromium, or unset it.`,
    )
  }
  if (findBrowser()) return
  let output = ''
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium…')
    output = await installWithApt()
    if (findBrowser()) return
  }
  throw new SetupError(
    'The tests need Chromium, which is not installed. Install it (Debian and Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium) or set CHROMIUM_PATH to a Chrome that you have, and run the command again.',
    output,
  )
}

/**
 * The program that the tests drive: the one that CHROMIUM_PATH names, or the first that is installed. One list for
 * whoever sets it up and whoever starts it.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findBrowser(env = process.env) {
  if (env['CHROMIUM_PATH']) return env['CHROMIUM_PATH']
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...ELSEWHERE].find(
    isProgram,
  )
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function installWithApt() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = await run('apt-get', ['update'], { env })
  let output = update.ok ? '' : update.output
  // Yesterday's lists often do when today's cannot be fetched; older releases have only the one with windows.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const install = await run('apt-get', ['install', '-y', name], { env })
    if (install.ok) return ''
    output += `\n${install.output}`
  }
  return output
}
