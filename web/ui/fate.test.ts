import { expect, it } from 'vitest'
import { fateOf } from './fate.ts'

it('puts every recipient into one part of the bar', () => {
  const all = { queued: 1, inFlight: 2, accepted: 4, failed: 8, unknown: 16, suppressed: 32, cancelled: 64 }
  const fate = fateOf(all)
  expect(Object.values(fate).reduce((sum, count) => sum + count, 0)).toBe(127)
  expect(fate).toMatchObject({ waiting: 3, unconfirmed: 16 })
})
