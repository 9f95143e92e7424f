import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { aReceiver } from './receiver.ts'

/** A receiver alone in a process, run with the flags of `npm start`, so that its memory is its own. */
type ReceiverProcess = AsyncDisposable & {
  port: number
  /** It has taken ordinary mails, and loaded all that it needs for them: from here on it is measured. */
  isWarm(): Promise<void>
  /** By how many bytes it has grown at most since then. */
  growth(): Promise<number>
}

const HERE = fileURLToPath(import.meta.url)

export async function aReceiverProcess(): Promise<ReceiverProcess> {
  const execArgv = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'))
  const child = fork(HERE, ['receive'], { execArgv })
  const [port] = (await once(child, 'message')) as [number]
  const status = (): Promise<string> => readFile(`/proc/${child.pid}/status`, 'utf8')
  const bytes = (text: string, name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
  let ready = 0
  return {
    port,
    async isWarm() {
      ready = bytes(await status(), 'VmRSS')
    },
    growth: async () => bytes(await status(), 'VmHWM') - ready,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

if (process.argv[2] === 'receive') {
  const { port } = await aReceiver()
  // What the start itself has left behind is no part of the measure.
  await sleep(200)
  process.send?.(port)
}
