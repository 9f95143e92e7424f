import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepOpen } from './stream.ts'

const sight = Object.assign(new EventTarget(), { visibilityState: 'visible' })

class Source extends EventTarget {
  static readonly CLOSED = 2
  readonly close = vi.fn()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', sight)
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function see(state: DocumentVisibilityState): void {
  sight.visibilityState = state
  sight.dispatchEvent(new Event('visibilitychange'))
}

it('a tab that nobody looks at tells that it has closed its stream, and opens another when somebody does', () => {
  const [attach, onClosed] = [vi.fn(), vi.fn()]
  const close = keepOpen('/api/events', attach, onClosed)
  see('hidden')
  vi.advanceTimersByTime(60_000)
  expect(onClosed).toHaveBeenCalledTimes(1)
  see('visible')
  expect(attach).toHaveBeenCalledTimes(2)
  close()
  expect(onClosed).toHaveBeenCalledTimes(2)
})
