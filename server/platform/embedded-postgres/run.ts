import { spawn } from 'node:child_process'

/**
 * PostgreSQL sees nothing of our environment: it holds keys that are none of its business, and variables such as
 * PGDATA or a translated LC_MESSAGES would change what it does and says.
 */
export const CLEAN_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export type Command = { file: string; args: readonly string[]; uid?: number; gid?: number }

export type Finished = { ok: boolean; output: string; errorCode: string }

/** Runs a program to its end. A program that cannot be started is an answer like any other. */
export function runToEnd(command: Command, cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    const { file, args, ...ids } = command
    const child = spawn(file, args, { ...ids, cwd, env: CLEAN_ENV, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ ok: false, output: error.message, errorCode: error.code ?? 'ERROR' }),
    )
    child.once('close', (status) => resolve({ ok: status === 0, output, errorCode: '' }))
  })
}
