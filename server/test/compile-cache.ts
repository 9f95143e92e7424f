import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/**
 * Tests start Postrider a hundred times, and most of a start is compiling the same files. Node keeps what it
 * compiled, by content, so that a changed file is compiled anew.
 */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: FOLDER }

/** Processes that are killed keep nothing; so the first one only loads everything, and leaves over a wrong value. */
export async function warmUp(): Promise<void> {
  if (existsSync(FOLDER)) return
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, PUBLIC_URL: 'nonsense', ...COMPILE_CACHE },
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.on('close', resolve))
}
