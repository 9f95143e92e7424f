import { readFileSync } from 'node:fs'

/** Of a line `cpu0`, `cpu1` … in /proc/stat: what the host gave to others while this processor was wanted. */
const STOLEN = 8
/** In which the lines count. */
const TICK_MS = 10

export type Moment = { at: number; stolenMs: readonly number[] }

export const machineNow = (): Moment => ({ at: performance.now(), stolenMs: stolenMs() })

/**
 * Milliseconds on a clock that stands still while the host gives this machine's processors to others: what is promised
 * for two cores is measured on two cores. Taken off is what the least robbed of them lost, never more, so that no time
 * is forgiven in which somebody could have worked.
 */
export function millisecondsSince({ at, stolenMs: before }: Moment): number {
  const lost = stolenMs().map((now, core) => now - (before[core] ?? now))
  return performance.now() - at - (lost.length > 0 ? Math.min(...lost) : 0)
}

/** Like `AbortSignal.timeout`, by this clock: whoever waits so long has had the machine for it. */
export function machineTimeout(milliseconds: number): AbortSignal {
  const ended = new AbortController()
  const start = machineNow()
  const look = () => {
    const left = milliseconds - millisecondsSince(start)
    if (left > 0) setTimeout(look, left).unref()
    else ended.abort(new DOMException('it took too long', 'TimeoutError'))
  }
  look()
  return ended.signal
}

function stolenMs(): number[] {
  return stat()
    .split('\n')
    .filter((line) => /^cpu\d/.test(line))
    .map((line) => Number(line.split(/\s+/)[STOLEN] ?? 0) * TICK_MS)
}

function stat(): string {
  try {
    return readFileSync('/proc/stat', 'latin1')
  } catch {
    // A system that does not tell is taken as one that has its processors for itself.
    return ''
  }
}
