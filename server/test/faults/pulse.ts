import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process holds, looked at while it works. */
export type Pulse = {
  /** A stretch of the time is over; of each the least is kept, since garbage comes and goes. */
  next: () => void
  /** What was seen in this stretch does not count. */
  forget: () => void
  stop: () => void
  figures: () => {
    /** In megabytes. `anHour`: by the line that lies closest to all stretches, each taken as a minute. */
    memory: { between: string; anHour: number }
    descriptors: { gained: number }
  }
}

type Look = { memory: number; descriptors: number }

const LOOK_MS = 2_000

export function aPulse(pid: number): Pulse {
  const stretches: Look[] = []
  let least: Look | null = null
  let isOver = false
  let trouble: unknown = null

  async function watch(): Promise<void> {
    while (!isOver) {
      const seen = { memory: await memoryOf(pid), descriptors: (await readdir(`/proc/${pid}/fd`)).length }
      least = {
        memory: Math.min(seen.memory, least?.memory ?? seen.memory),
        descriptors: Math.min(seen.descriptors, least?.descriptors ?? seen.descriptors),
      }
      await sleep(LOOK_MS, undefined, { ref: false })
    }
  }
  // One that died in between is told at the end: others may have done its work.
  void watch().catch((error: unknown) => {
    if (!isOver) trouble = error
  })

  return {
    next() {
      if (least) stretches.push(least)
      least = null
    },
    forget() {
      least = null
    },
    stop() {
      isOver = true
    },
    figures() {
      if (trouble) throw new Error(`process ${pid} was lost sight of`, { cause: trouble })
      const [first, last] = [stretches[0], stretches.at(-1)]
      if (!first || !last) throw new Error(`process ${pid} was never seen`)
      return {
        memory: {
          between: `${Math.round(first.memory)} and ${Math.round(last.memory)}`,
          anHour: slopeOf(stretches.map(({ memory }) => memory)) * 60,
        },
        descriptors: { gained: last.descriptors - first.descriptors },
      }
    },
  }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** By how much the values grow from one to the next: the line of least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let [above, below] = [0, 0]
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean)
    below += (index - middle) ** 2
  }
  return below === 0 ? 0 : above / below
}
