import { spawn } from 'node:child_process'

/**
 * Runs a program quietly and answers how it ended; its words are only of interest when it fails.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(file, args, { cwd, env = process.env, onStart } = {}) {
  return new Promise((done) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => done({ ok: false, output: error.message }))
    child.once('close', (status) => done({ ok: status === 0, output }))
    if (child.pid !== undefined) onStart?.(child.pid)
  })
}
