import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { until } from '../test/until.ts'
import { createLogOutput } from './log-output.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Takes what there is room for; then it fails, in one way or the other. */
function aPlace(failing: string) {
  let text = ''
  let room = Number.POSITIVE_INFINITY
  const output = createLogOutput((bytes) => {
    if (room === 0) throw failure(failing)
    const taken = bytes.subarray(0, room)
    room -= taken.length
    text += taken
    return taken.length
  })
  return {
    output,
    text: () => text,
    lines: () => text.split('\n').slice(0, -1),
    leave: (bytes: number) => {
      room = bytes
    },
  }
}

it('what has no room on a full disk is dropped; later lines are whole, and follow once there is room', () => {
  const disk = aPlace('ENOSPC')
  disk.output.write('first\n')
  disk.leave(3)
  for (const line of ['second\n', 'third\n']) disk.output.write(line)
  disk.leave(1000)
  for (const line of ['fourth\n', 'fifth\n']) disk.output.write(line)
  expect(disk.lines()).toEqual(['first', 'sec', 'fourth', 'fifth'])
})

it('a reader who is slow misses nothing, and one who has stopped costs a megabyte', async () => {
  const pipe = aPlace('EAGAIN')
  pipe.leave(10)
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`)
  for (const line of lines) pipe.output.write(`${line}\n`)
  pipe.leave(1_000_000)
  await until('the reader has all', async () => pipe.lines().length === lines.length)
  expect(pipe.lines()).toEqual(lines)

  pipe.leave(0)
  const before = pipe.text().length
  for (let index = 0; index < 5000; index++) pipe.output.write(`${'x'.repeat(999)}\n`)
  pipe.leave(10_000_000)
  pipe.output.flush()
  expect(pipe.text().length - before).toBeLessThan(1024 * 1024 + 1001)
})

const LOG = fileURLToPath(new URL('log.ts', import.meta.url))
const LOGGING = `
  const { createLog } = await import(${JSON.stringify(LOG)})
  const log = createLog('info')
  for (let round = 0; round < 3; round++) {
    log.info('a line')
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.stderr.write('alive')
  process.exit(0)`

it('a process whose log is on a full disk lives on, and ends when it is told to', async () => {
  await using full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOGGING], {
    stdio: ['ignore', full.fd, 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  let told = ''
  child.stderr?.on('data', (chunk) => (told += chunk))
  expect([...(await once(child, 'close')), told]).toEqual([0, null, 'alive'])
})

it('the last words before an end are written', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LOGGING])
  expect(stdout.trim().split('\n')).toHaveLength(3)
})
