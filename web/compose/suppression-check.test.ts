import { expect, it, vi } from 'vitest'
import { PIECE, SuppressionCheck } from './suppression-check.ts'

const { signal } = new AbortController()

/** A server on whose list these are. */
function checkAgainst(...list: string[]) {
  const ask = vi.fn(async (entries: string[]) => entries.filter((entry) => list.includes(entry)))
  return { ask, list, check: new SuppressionCheck(ask) }
}

it('asks about each entry once, and tells when somebody is found', async () => {
  const { ask, check } = checkAgainst('b')
  const heard = vi.fn()
  check.subscribe(heard)
  await check.look(['a', 'b'], signal)
  await check.look(['a', 'b', 'c'], signal)
  expect(ask.mock.calls.map(([entries]) => entries)).toEqual([['a', 'b'], ['c']])
  expect([...check.suppressed()]).toEqual(['b'])
  expect(heard).toHaveBeenCalledTimes(1)
})

it('asks about a long list in pieces', async () => {
  const { ask, check } = checkAgainst('7', '20001')
  await check.look(
    Array.from({ length: 2 * PIECE + 5 }, (_, n) => String(n)),
    signal,
  )
  expect(ask.mock.calls.map(([entries]) => entries.length)).toEqual([PIECE, PIECE, 5])
  expect([...check.suppressed()]).toEqual(['7', '20001'])
})

it('asks again about what got no answer, and keeps what is known', async () => {
  const { ask, check } = checkAgainst('a', 'b')
  await check.look(['a'], signal)
  ask.mockRejectedValueOnce(new Error('gone'))
  await check.look(['a', 'b'], signal)
  expect([...check.suppressed()]).toEqual(['a'])
  await check.look(['a', 'b'], signal)
  expect([...check.suppressed()]).toEqual(['a', 'b'])
})

it('forgets, and shows the old until there is something new', async () => {
  const { check, list } = checkAgainst('a')
  await check.look(['a', 'b'], signal)
  list.splice(0, 1, 'b')
  check.forget()
  expect([...check.suppressed()]).toEqual(['a'])
  await check.look(['a', 'b'], signal)
  expect([...check.suppressed()]).toEqual(['b'])
})
