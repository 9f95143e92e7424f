import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast, toast } from './toast-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('shows one toast at a time, the latest', () => {
  toast({ title: 'Weak Password' })
  toast({ title: 'Password Mismatch' })
  expect(currentToasts().map((entry) => entry.title)).toEqual(['Password Mismatch'])
})

it('closes a dismissed toast at once and forgets it 1,000,000 ms later', () => {
  toast({ title: 'Logged Out' })
  const [shown] = currentToasts()
  dismissToast(shown?.id ?? 0)
  expect(currentToasts()).toMatchObject([{ title: 'Logged Out', open: false }])
  vi.advanceTimersByTime(999_999)
  expect(currentToasts()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(currentToasts()).toHaveLength(0)
})
