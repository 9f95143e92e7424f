import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from './errors.mjs'
import { run } from './run.mjs'

const NODE_MAJOR = 24
// Named, since `npm start --silent` would hand its silence on and hide the reason of a failure.
const LOGLEVEL = '--loglevel=error'

/**
 * Whether node_modules holds what package-lock.json names: 'all' of it, only what 'production' needs, or 'no'.
 *
 * @param {string} root
 * @param {{ productionWillDo: boolean }} options
 */
export function arePackagesReady(root, { productionWillDo }) {
  const lock = readLock(root)
  const installed = installedLock(root)
  if (installed === null) return 'no'
  if (readStamp(root) === stampFor(lock, installed)) return 'all'
  // Somebody ran npm themselves since: what counts is what they installed.
  const found = compare(JSON.parse(lock).packages, JSON.parse(installed.text).packages)
  if (found === 'all') writeStamp(root, stampFor(lock, installed))
  return found === 'production' && !productionWillDo ? 'no' : found
}

/**
 * For the commands that operators run beside Postrider: npm empties node_modules before it fills it anew, and where the
 * registry is out of reach it stays empty.
 *
 * @param {string} root
 */
export function refuseToReplacePackages(root) {
  if (installedLock(root) === null) return
  throw new SetupError(
    'This version needs other packages than are installed here, and nothing was done: to install them takes away those of a Postrider that runs from this folder. A backup is made before a new version is fetched. Now stop Postrider, run "node scripts/setup.mjs --web", and then this command again.',
  )
}

/**
 * @param {string} root
 * @param {(pid: number) => void} onStart
 */
export async function installPackages(root, onStart) {
  console.log('Installing packages…')
  // The web is built here and the tests run here, so what NODE_ENV=production would leave out is needed too.
  const [file, ...args] = [...npmCommand(), 'ci', '--include=dev', '--no-audit', '--no-fund', LOGLEVEL]
  const { ok, output } = await run(file, args, { cwd: root, env: outsideEnv(root), onStart })
  if (!ok) throw new SetupError(explain(output, root), output)
  const installed = installedLock(root)
  if (installed === null) throw new SetupError('npm ci installed nothing. Look at what it printed.', output)
  writeStamp(root, stampFor(readLock(root), installed))
}

/**
 * npm scripts run on the Node that the package `node` brings; its install script fetches it.
 *
 * @param {string} root
 */
export function checkNode(root) {
  const path = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const version = existsSync(path) ? versionOf(path) : null
  if (version === NODE_MAJOR) return
  if (version !== null)
    throw new SetupError(
      `Postrider runs on Node ${NODE_MAJOR}, but node_modules/.bin/node is Node ${version}. Remove the folder node_modules and run the command again.`,
    )
  // Where scripts may not run, the machine's own Node is found next, and will do if it is recent enough.
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return
  throw new SetupError(
    `Postrider runs on Node ${NODE_MAJOR}, which the package "node" did not bring because its install script did not run (ignore-scripts in your npm settings?). Run "npm rebuild node --ignore-scripts=false", or install Node ${NODE_MAJOR}, and run the command again.`,
  )
}

function versionOf(path) {
  try {
    // It is the one that runs this script already, as in every later `npm start`: no need to ask.
    if (realpathSync(path) === realpathSync(process.execPath))
      return Number(process.versions.node.split('.')[0])
    const shell = process.platform === 'win32'
    return Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8', shell }))?.[1])
  } catch {
    return null
  }
}

/** The npm that runs us, on the Node that runs it: the one in node_modules is about to be replaced. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  if (cli && /\.[cm]?js$/.test(cli) && existsSync(cli))
    return [node && existsSync(node) ? node : process.execPath, cli]
  return process.platform === 'win32' ? ['npm.cmd'] : ['npm']
}

/** Without this clone's own programs in the path, which come and go while npm works. */
function outsideEnv(root) {
  const inside = join(root, 'node_modules')
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(inside))
  return { ...process.env, PATH: path.join(delimiter) }
}

const CAUSES = [
  [/ENOSPC/, () => 'The disk is full. Free some space and run the command again.'],
  [
    /EACCES|EPERM|EROFS/,
    (root) =>
      `npm may not write to ${root}. Give the folder to the user that runs Postrider, and run the command again.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/,
    () =>
      'The npm registry could not be reached. Check the network (or the proxy in your npm settings) and run the command again.',
  ],
  [
    /npm ci.* can only install|EUSAGE/,
    () =>
      'package.json and package-lock.json do not agree. Run "npm install" if you changed package.json, or restore both with git.',
  ],
]

function explain(output, root) {
  const [, cause] = CAUSES.find(([pattern]) => pattern.test(output)) ?? []
  return `The packages could not be installed. ${cause?.(root) ?? 'npm says why above; once that is mended, run the command again.'}`
}

function readLock(root) {
  try {
    return readFileSync(join(root, 'package-lock.json'), 'utf8')
  } catch {
    throw new SetupError(
      `The file package-lock.json is missing in ${root}. Restore it with git and run the command again.`,
    )
  }
}

/** What npm notes at the very end of an installation; an interrupted one has none. */
function installedLock(root) {
  const path = join(root, 'node_modules/.package-lock.json')
  try {
    return { text: readFileSync(path, 'utf8'), mtime: statSync(path).mtimeMs }
  } catch {
    return null
  }
}

/** Changes when the lock does, and when npm touches node_modules again (npm prune, npm install). */
const stampFor = (lock, installed) =>
  createHash('sha256')
    .update(lock)
    .update('\0')
    .update(installed.text)
    .update(`\0${installed.mtime}`)
    .digest('hex')

const stampPath = (root) => join(root, 'node_modules/.postrider-packages')

function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8')
  } catch {
    return null
  }
}

function writeStamp(root, stamp) {
  try {
    writeFileSync(stampPath(root), stamp)
  } catch {
    // A clone that may only be read is compared anew each time, which takes a moment longer.
  }
}

function compare(wanted, installed) {
  let found = 'all'
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue
    const version = installed[path]?.version
    if (version === entry.version) continue
    if (version !== undefined) return 'no'
    // Packages for other platforms are optional and absent.
    if (entry.optional) continue
    if (!entry.dev) return 'no'
    found = 'production'
  }
  return found
}
