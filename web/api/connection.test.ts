import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mayBeOutOfDate, noteCut, noteEnd, noteOpen } from './connection.ts'

const cutFor = (milliseconds: number) => {
  noteCut()
  vi.advanceTimersByTime(milliseconds)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  noteEnd()
  vi.useRealTimers()
})

it('what is shown may be out of date once the line has been cut for five seconds, until it is open again', () => {
  cutFor(4_999)
  expect(mayBeOutOfDate()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(mayBeOutOfDate()).toBe(true)
  noteOpen()
  expect(mayBeOutOfDate()).toBe(false)
})

it('each try that fails belongs to the same cut', () => {
  for (let tries = 0; tries < 5; tries++) cutFor(1_000)
  expect(mayBeOutOfDate()).toBe(true)
})

it('a line that is soon open again was never cut', () => {
  cutFor(3_000)
  noteOpen()
  cutFor(3_000)
  expect(mayBeOutOfDate()).toBe(false)
})

it('nor is one that was closed because nobody looks', () => {
  cutFor(3_000)
  noteEnd()
  vi.advanceTimersByTime(60_000)
  expect(mayBeOutOfDate()).toBe(false)
  cutFor(5_000)
  noteEnd()
  expect(mayBeOutOfDate()).toBe(false)
})
