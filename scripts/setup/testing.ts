import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../../server/test/until.ts'

const SCRIPTS = dirname(dirname(fileURLToPath(import.meta.url)))
const folders: string[] = []
const running = new Set<number>()

/** For afterEach. */
export function cleanUp(): void {
  for (const pid of running) process.kill(pid, 'SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

// Stands for npm: installs what the lock names, and stops in the middle while a file `hold-npm` is there.
const NPM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
appendFileSync('calls', 'npm ' + process.argv.slice(2).join(' ') + '\\n')
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/.bin', { recursive: true })
mkdirSync('node_modules/vite/bin', { recursive: true })
while (existsSync('hold-npm')) await new Promise((resolve) => setTimeout(resolve, 10))
if (existsSync('fail-npm')) { console.error('npm error code ENOTFOUND'); process.exit(1) }
symlinkSync(process.execPath, 'node_modules/.bin/node')
writeFileSync('node_modules/vite/bin/vite.js', readFileSync('vite-stub.mjs'))
writeFileSync('node_modules/package.json', '{"type":"module"}')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
for (const [path, { optional }] of Object.entries(packages)) if (optional) delete packages[path]
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`
const VITE = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
appendFileSync('calls', 'vite\\n')
const out = process.argv[process.argv.indexOf('--outDir') + 1]
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'half.js'), '')
while (existsSync('hold-vite')) await new Promise((resolve) => setTimeout(resolve, 10))
writeFileSync(join(out, 'index.html'), readFileSync('web/main.ts'))
`

export const lockOf = (pg: string) => ({
  packages: {
    '': {},
    'node_modules/pg': { version: pg },
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/@x/darwin': { version: '1.0.0', optional: true },
  },
})

/** A clone with stand-ins for npm and vite that note their calls. */
export function aClone() {
  const root = mkdtempSync(join(tmpdir(), 'postrider-setup-'))
  folders.push(root)
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const name of ['setup.mjs', 'setup'])
    cpSync(join(SCRIPTS, name), join(root, 'scripts', name), { recursive: true })
  write('package-lock.json', JSON.stringify(lockOf('1.0.0')))
  write('vite.config.ts', '')
  write('contract/auth.ts', '')
  write('web/main.ts', 'first')
  write('npm-stub.mjs', NPM)
  write('vite-stub.mjs', VITE)
  const start = (args: string[] = ['--web'], env: NodeJS.ProcessEnv = {}, nodeArgs: string[] = []) => {
    const child = spawn(process.execPath, [...nodeArgs, 'scripts/setup.mjs', ...args], {
      cwd: root,
      env: {
        ...process.env,
        npm_execpath: join(root, 'npm-stub.mjs'),
        npm_node_execpath: process.execPath,
        ...env,
      },
    })
    const pid = child.pid ?? 0
    running.add(pid)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text
      })
    const ended = new Promise<{ status: number | null; output: string }>((resolve) =>
      child.once('close', (status) => {
        running.delete(pid)
        resolve({ status, output })
      }),
    )
    return { pid, ended, output: () => output }
  }
  return {
    root,
    write,
    start,
    setUp: (...args: Parameters<typeof start>) => start(...args).ended,
    remove: (path: string) => rmSync(join(root, path), { recursive: true, force: true }),
    has: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    /** The program that the set-up runs, once the lock names it: that is a moment after it has begun. */
    helper: async (): Promise<number> => {
      let pid: number | undefined
      await until('the lock names the program that the set-up runs', () => {
        const lock = join(root, '.cache/setup.lock')
        pid = existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).holders[1]?.pid : undefined
        return pid !== undefined
      })
      return pid ?? 0
    },
    calls: () =>
      existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [],
  }
}
