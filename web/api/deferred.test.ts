import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defer, finishDeferred } from './deferred.ts'

const page = new EventTarget()
beforeEach(() => void vi.stubGlobal('window', page))
afterEach(() => void vi.unstubAllGlobals())

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
