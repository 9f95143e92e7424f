import { vi } from 'vitest'

/** What a moment is to this process, until it is disposed of. */
type StoppedClock = Disposable & { pass(milliseconds: number): Promise<void> }

/** Time passes only where the test says so: for timers, for `performance.now()` and for signals that end a wait. */
export function aStoppedClock(): StoppedClock {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const ended = new AbortController()
    setTimeout(() => ended.abort(new DOMException('it took too long', 'TimeoutError')), milliseconds)
    return ended.signal
  })
  return {
    pass: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    [Symbol.dispose]() {
      timeouts.mockRestore()
      vi.useRealTimers()
    },
  }
}
