import { expect, it } from 'vitest'
import { aStoppedClock } from '../../test/stopped-clock.ts'
import { createBodyRoom } from './body-room.ts'

const REFUSED = {
  status: 503,
  message: 'Too many large requests arrive at the moment. Please try again in a few seconds',
  headers: { 'retry-after': '5' },
}

it('leaves room for others, however much one caller has under way', async () => {
  using clock = aStoppedClock()
  const room = createBodyRoom({ bytes: 100, ownerBytes: 60 })
  const whole = room.share('ann')
  await whole.grow(60)
  const [refused] = await Promise.allSettled([room.share('ann').grow(1), clock.pass(10_000)])
  expect(refused).toMatchObject({ reason: REFUSED })
  await room.share('bob').grow(40)
})

it('has room for the next of a caller once one is answered', async () => {
  const room = createBodyRoom({ bytes: 100, ownerBytes: 60 })
  const [first, second] = [room.share('ann'), room.share('ann')]
  await first.grow(60)
  const growing = second.grow(60)
  first[Symbol.dispose]()
  await growing
  second[Symbol.dispose]()
  await room.share('bob').grow(60)
})

it('takes what has stopped coming from a caller who needs the room for another', async () => {
  using clock = aStoppedClock()
  const room = createBodyRoom({ bytes: 100, ownerBytes: 60 })
  const withheld = room.share('ann')
  let isLost = false
  withheld.filling(() => (isLost = true))
  await withheld.grow(50)
  await Promise.all([room.share('ann').grow(60), clock.pass(6_000)])
  expect(isLost).toBe(true)
  await expect(withheld.grow(1)).rejects.toMatchObject(REFUSED)
  // It holds nothing for all any more either.
  await room.share('bob').grow(40)
})
