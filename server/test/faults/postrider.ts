import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { machineNow, millisecondsSince } from '../machine-clock.ts'
import type { Ground, Process } from '../process.ts'
import { until } from '../until.ts'

/** One Postrider process that can be killed and started again as the same one: same port, same environment. */
export type Postrider = {
  url: string
  pid: () => number
  output: () => string
  /** Resolves when this run of the process has ended, with its exit code. */
  ended: () => Promise<number | null>
  /** A signal that the process may survive. */
  signal: (name: NodeJS.Signals) => void
  /** Sends the signal and waits for the end. */
  end: (name: NodeJS.Signals) => Promise<number | null>
  /** Starts it again and waits until it is up. A database that is still recovering is waited for, as a service manager does. */
  start: (milliseconds?: number) => Promise<void>
}

/** A test that ran out of time never comes to its end; what it started must not stay behind. */
const alive = new Set<number>()
process.once('exit', () => {
  for (const pid of alive) process.kill(pid, 'SIGKILL')
})

export async function aPostrider(
  ground: Ground,
  env: Record<string, string>,
  main?: string,
  flags?: readonly string[],
): Promise<Postrider> {
  const port = env['PORT'] ?? String(await freePort())
  let running: Process | null = null
  let earlier = ''

  async function attempt(isLate: () => boolean): Promise<boolean> {
    const next = await ground.start({ ...env, PORT: port }, main, flags)
    earlier += running?.output() ?? ''
    running = next
    let hasEnded = false
    alive.add(next.pid)
    void next.ended.then(() => {
      alive.delete(next.pid)
      hasEnded = true
    })
    while (!hasEnded && !isLate()) {
      if (next.output().includes('Postrider is ready')) return true
      await sleep(5)
    }
    return false
  }

  const current = (): Process => {
    if (!running) throw new Error('Postrider was not started')
    return running
  }

  const postrider: Postrider = {
    url: `http://localhost:${port}`,
    pid: () => current().pid,
    output: () => earlier + (running?.output() ?? ''),
    ended: () => current().ended,
    signal: (name) => process.kill(current().pid, name),
    end: (name) => current().end(name),
    async start(milliseconds = 30_000) {
      const begun = machineNow()
      const isLate = () => millisecondsSince(begun) > milliseconds
      await until(
        'Postrider is up',
        async () => {
          if (await attempt(isLate)) return true
          if (isLate()) throw new Error(`Postrider did not come up: ${postrider.output()}`)
          return false
        },
        milliseconds,
      )
    },
  }
  await postrider.start()
  return postrider
}
