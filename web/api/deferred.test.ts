import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defer, finishDeferred } from './deferred.ts'

const page = new EventTarget()
const sight = Object.assign(new EventTarget(), { visibilityState: 'visible' })
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', sight)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function see(state: DocumentVisibilityState): void {
  sight.visibilityState = state
  sight.dispatchEvent(new Event('visibilitychange'))
}

it('waits until it is told to, and is done once', async () => {
  const work = vi.fn(async () => {})
  const { run, cancel } = defer(work)
  expect(work).not.toHaveBeenCalled()
  run()
  run()
  await finishDeferred()
  expect(cancel()).toBe(false)
  expect(work).toHaveBeenCalledTimes(1)
})

it('is not done once it was taken back', async () => {
  const work = vi.fn(async () => {})
  const { run, cancel } = defer(work)
  expect(cancel()).toBe(true)
  run()
  page.dispatchEvent(new Event('pagehide'))
  await finishDeferred()
  expect(work).not.toHaveBeenCalled()
})

it('is done at the latest when the page is left', () => {
  const [first, second] = [vi.fn(async () => {}), vi.fn(async () => {})]
  defer(first)
  defer(second)
  page.dispatchEvent(new Event('pagehide'))
  page.dispatchEvent(new Event('pagehide'))
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).toHaveBeenCalledTimes(1)
})

it('is done soon where nobody sees the page any more, and not for a glance elsewhere', () => {
  const work = vi.fn(async () => {})
  defer(work)
  see('hidden')
  vi.advanceTimersByTime(4_000)
  see('visible')
  vi.advanceTimersByTime(60_000)
  expect(work).not.toHaveBeenCalled()
  see('hidden')
  vi.advanceTimersByTime(5_000)
  expect(work).toHaveBeenCalledTimes(1)
})

it('is waited for by who has to end what it needs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  defer(() => promise)
  let isFinished = false
  const finished = finishDeferred().then(() => {
    isFinished = true
  })
  await Promise.resolve()
  expect(isFinished).toBe(false)
  resolve()
  await finished
  expect(isFinished).toBe(true)
})
