import { expect, it } from 'vitest'
import { onTheWay } from './use-count-up.ts'

it('begins where it was and ends exactly where it should', () => {
  expect(onTheWay(10, 20, 0)).toBe(10)
  expect(onTheWay(10, 20, -0.1)).toBe(10)
  expect(onTheWay(10, 20, 1)).toBe(20)
  expect(onTheWay(0.1, 0.3, 7)).toBe(0.3)
})

it('goes one way only, also downwards, and never too far', () => {
  const steps = [0, 0.2, 0.4, 0.6, 0.8, 1]
  const up = steps.map((share) => onTheWay(0, 1000, share))
  expect(up).toEqual([...up].sort((a, b) => a - b))
  const down = steps.map((share) => onTheWay(1000, 0, share))
  expect(down).toEqual([...down].sort((a, b) => b - a))
})
