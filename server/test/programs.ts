import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { COMPILE_CACHE } from './compile-cache.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'node_modules/.cache/programs')

/**
 * Tests start Postrider and its commands some hundred times, and two thirds of a start is finding and loading twelve hundred
 * files. So these start from one file each, the same code put together; `npm start` is tested as it is.
 */
export const PROGRAMS = { main: join(FOLDER, 'main.js'), admin: join(FOLDER, 'admin.js') }

/** Of the packages those that consist of very many files. */
const TAKEN_IN = ['kysely', 'zod', 'pg-boss', 'semver', 'cron-parser']

/** Migrations, threads and style sheets are looked for beside the file that names them. */
const PLACES: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null
    if (/import\.meta\.(?!url)/.test(code))
      throw new Error(`${id} names its place in a way that is lost here`)
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
  },
}

export async function makePrograms(): Promise<void> {
  for (const [name, file] of Object.entries(PROGRAMS)) {
    const code = await put(`server/${name}.ts`)
    if (code === read(file)) continue
    await mkdir(dirname(file), { recursive: true })
    // Another run of the tests may be starting the one of before.
    await writeFile(`${file}.${process.pid}`, code)
    await rename(`${file}.${process.pid}`, file)
    await loadOnce(file)
  }
}

async function put(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [PLACES],
    ssr: { noExternal: TAKEN_IN },
    build: {
      ssr: entry,
      write: false,
      minify: false,
      target: 'esnext',
      rollupOptions: { output: { codeSplitting: false } },
    },
  })
  if (!('output' in made)) throw new Error(`${entry} was not made into one file`)
  return made.output[0].code
}

/** Processes that are killed keep nothing of what Node compiles for them; so this one only loads everything, and leaves. */
async function loadOnce(file: string): Promise<void> {
  const { PATH = '' } = process.env
  const env = { PATH, PUBLIC_URL: 'nonsense', ...COMPILE_CACHE }
  const child = spawn(process.execPath, [file], { env, stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
