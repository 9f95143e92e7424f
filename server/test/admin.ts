import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { COMPILE_CACHE } from './compile-cache.ts'
import { PROGRAMS } from './programs.ts'

export type AdminAnswer = { code: number; out: string; err: string }

/** `npm run admin -- …` as a process of its own. */
export const admin = (
  env: Record<string, string>,
  args: readonly string[],
  program = PROGRAMS.admin,
): Promise<AdminAnswer> =>
  new Promise((resolve) => {
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: tmpdir(), env: { PATH, HOME, ...COMPILE_CACHE, ...env } }
    const child = execFile(process.execPath, [program, ...args], options, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
