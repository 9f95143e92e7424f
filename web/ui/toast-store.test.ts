import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chooseToastAction, currentToasts, dismissToast, toast } from './toast-store.ts'

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

const shownId = (): number => currentToasts()[0]?.id ?? 0

it('does what its button says, once, and closes', () => {
  const onSelect = vi.fn()
  const onGone = vi.fn()
  toast({ title: 'Template Deleted', action: { label: 'Undo', onSelect }, onGone })
  const id = shownId()
  chooseToastAction(id)
  chooseToastAction(id)
  dismissToast(id)
  toast({ title: 'The next one' })
  expect(onSelect).toHaveBeenCalledTimes(1)
  expect(onGone).not.toHaveBeenCalled()
})

it('tells once when the chance to choose has passed by dismissal', () => {
  const onGone = vi.fn()
  toast({ title: 'Template Deleted', onGone })
  const id = shownId()
  expect(onGone).not.toHaveBeenCalled()
  dismissToast(id)
  dismissToast(id)
  toast({ title: 'The next one' })
  expect(onGone).toHaveBeenCalledTimes(1)
})

it('tells once when the next toast has taken its place', () => {
  const onGone = vi.fn()
  toast({ title: 'Template Deleted', onGone })
  const id = shownId()
  toast({ title: 'The next one' })
  dismissToast(id)
  expect(onGone).toHaveBeenCalledTimes(1)
})
