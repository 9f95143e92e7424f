import { expect, it } from 'vitest'
import { createBreaker } from './breaker.ts'

function opened() {
  const breaker = createBreaker()
  for (let doubt = 0; doubt < 5; doubt++) breaker.doubtful()
  return breaker
}

it('opens after five doubtful answers in a row and says for how long', () => {
  const breaker = createBreaker()
  expect([1, 2, 3, 4].map(() => breaker.doubtful())).toEqual([null, null, null, null])
  expect(breaker.state()).toBe('closed')
  expect(breaker.doubtful()).toBe(5_000)
  expect(breaker.state()).toBe('open')
})

it('stays closed while one answer in five is plain', () => {
  const breaker = createBreaker()
  for (let round = 0; round < 20; round++) {
    for (let doubt = 0; doubt < 4; doubt++) expect(breaker.doubtful()).toBeNull()
    breaker.well()
  }
  expect(breaker.state()).toBe('closed')
})

it('is not closed by a call that was under way when it opened, only by a probe', () => {
  const breaker = opened()
  breaker.well()
  expect(breaker.state()).toBe('open')
  breaker.probe()
  expect(breaker.state()).toBe('probing')
  breaker.well()
  expect(breaker.state()).toBe('closed')
})

it('opens again at the first doubt about a probe', () => {
  const breaker = opened()
  breaker.probe()
  expect(breaker.doubtful()).toBe(10_000)
  expect(breaker.state()).toBe('open')
})

it('waits longer as the outage lasts, half a minute at most, and starts afresh after it', () => {
  const breaker = opened()
  expect([1, 2, 3, 4].map(() => breaker.stillAway())).toEqual([10_000, 20_000, 30_000, 30_000])
  breaker.probe()
  breaker.well()
  for (let doubt = 0; doubt < 4; doubt++) breaker.doubtful()
  expect(breaker.doubtful()).toBe(5_000)
})

it('does not open a second time for doubts that come in while it is open', () => {
  const breaker = opened()
  expect([1, 2, 3, 4, 5, 6].map(() => breaker.doubtful())).toEqual([null, null, null, null, null, null])
})

it('probes only what is open', () => {
  const breaker = createBreaker()
  breaker.probe()
  expect(breaker.state()).toBe('closed')
})

it('counts how often in a row it was opened by doubts, until a probe ends well', () => {
  const breaker = opened()
  expect(breaker.trips()).toBe(1)
  breaker.stillAway()
  expect(breaker.trips(), 'it was asked, and no mail was tried').toBe(1)
  breaker.probe()
  breaker.doubtful()
  breaker.well()
  expect(breaker.trips()).toBe(2)
  breaker.probe()
  breaker.well()
  expect(breaker.trips()).toBe(0)
})
