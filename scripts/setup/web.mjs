import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SetupError } from './errors.mjs'
import { run } from './run.mjs'

// The folder that git ignores; beside dist, so that a rename moves a build into place.
const SCRATCH = 'web/.cache'

export const isWebBuilt = (root) => existsSync(join(root, 'web/dist/index.html'))

/** Whether web/dist was built from the sources that are there now. */
export const isWebReady = (root) => isWebBuilt(root) && readStamp(root) === hashOfSources(root)

/**
 * Builds beside web/dist and swaps the two, so that a build that is killed leaves the old one whole, and a server that
 * runs meanwhile never sends half of a new one.
 *
 * @param {string} root
 * @param {(pid: number) => void} onStart
 */
export async function buildWeb(root, onStart) {
  console.log('Building the web…')
  const sources = hashOfSources(root)
  const scratch = join(root, SCRATCH)
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  const fresh = join(scratch, 'fresh')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' }
  const { ok, output } = await run(nodeOf(root), args, { cwd: root, env, onStart })
  if (!ok || !existsSync(join(fresh, 'index.html')))
    throw new SetupError('The web could not be built. Vite says why above.', output)
  const dist = join(root, 'web/dist')
  if (existsSync(dist)) renameSync(dist, join(scratch, 'old'))
  renameSync(fresh, dist)
  rmSync(scratch, { recursive: true, force: true })
  // Outside web/dist, whose every file is served. The hash is of the sources as they were before the build: what
  // changed during it is built the next time.
  mkdirSync(dirname(stampPath(root)), { recursive: true })
  writeFileSync(stampPath(root), sources)
}

function nodeOf(root) {
  const path = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(path) ? path : process.execPath
}

const stampPath = (root) => join(root, 'node_modules/.cache/postrider/web')

function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8')
  } catch {
    return null
  }
}

/** Contents, not times: a fresh checkout of the same sources needs no build. */
function hashOfSources(root) {
  const hash = createHash('sha256')
  for (const file of sourcesOf(root)) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function* sourcesOf(root) {
  for (const file of ['package-lock.json', 'vite.config.ts']) if (existsSync(join(root, file))) yield file
  yield* filesIn(root, 'contract')
  yield* filesIn(root, 'web')
}

function* filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`
    if (path === 'web/dist' || entry.name.startsWith('.') || /\.test\.[cm]?tsx?$/.test(entry.name)) continue
    if (entry.isDirectory()) yield* filesIn(root, path)
    else if (entry.isFile()) yield path
  }
}
