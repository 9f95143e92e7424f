import { expect, it } from 'vitest'
import { createFairRing } from './fair-ring.ts'

const anyone = () => true

function ringOf(items: Record<string, string[]>) {
  const ring = createFairRing<string>()
  for (const [userId, names] of Object.entries(items)) for (const name of names) ring.add(userId, name)
  return ring
}

it('gives each user a turn before anyone gets a second, however many campaigns one has', () => {
  const ring = ringOf({ ann: ['a1', 'a2', 'a3'], bob: ['b1'], eve: ['e1'] })
  const turns = Array.from({ length: 9 }, () => ring.next(anyone))
  expect(turns).toEqual(['a1', 'b1', 'e1', 'a2', 'b1', 'e1', 'a3', 'b1', 'e1'])
})

it('passes over what does not want its turn, and over users who want none', () => {
  const ring = ringOf({ ann: ['a1', 'a2'], bob: ['b1'] })
  expect(ring.next((item) => item !== 'a1')).toBe('a2')
  expect(ring.next((item) => item !== 'b1')).toBe('a1')
  expect(ring.next(() => false)).toBeNull()
})

it('lets somebody who comes later have the next turn after those who wait', () => {
  const ring = ringOf({ ann: ['a1'] })
  ring.next(anyone)
  ring.add('bob', 'b1')
  expect([ring.next(anyone), ring.next(anyone), ring.next(anyone)]).toEqual(['a1', 'b1', 'a1'])
})

it('forgets what was taken out and counts what is left, also when something comes or goes twice', () => {
  const ring = ringOf({ ann: ['a1', 'a2'], bob: ['b1'] })
  ring.add('ann', 'a1')
  expect(ring.size).toBe(3)
  ring.remove('ann', 'a1')
  ring.remove('ann', 'a1')
  ring.remove('nobody', 'x')
  expect(ring.size).toBe(2)
  expect([...ring.all()].sort()).toEqual(['a2', 'b1'])
  ring.remove('ann', 'a2')
  ring.remove('bob', 'b1')
  expect(ring.size).toBe(0)
  expect(ring.next(anyone)).toBeNull()
})
