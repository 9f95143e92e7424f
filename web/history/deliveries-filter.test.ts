import { expect, it } from 'vitest'
import { choicesFor, deliveriesRequest, readShown, writeShown } from './deliveries-filter.ts'

const COUNTS = { queued: 0, inFlight: 0, accepted: 7, failed: 2, unknown: 1, suppressed: 0, cancelled: 0 }

it('is kept in the address of the page', () => {
  const shown = { state: 'failed', q: 'ann+x@' } as const
  expect(readShown(writeShown(shown))).toEqual(shown)
  expect(writeShown({ state: null, q: '' })).toBe('')
  expect(readShown('?state=lost&q=ann%00')).toEqual({ state: null, q: 'ann' })
})

it('asks the server only for what was chosen', () => {
  expect(deliveriesRequest({ state: null, q: ' ' })).toEqual({})
  expect(deliveriesRequest({ state: 'unknown', q: ' ann ' })).toEqual({ state: 'unknown', q: 'ann' })
})

it('offers all, and each state in which somebody is', () => {
  const names = (chosen: 'failed' | 'cancelled' | null) =>
    choicesFor(COUNTS, chosen).map(({ name, count }) => `${name} ${count}`)
  expect(names(null)).toEqual(['All 10', 'Accepted 7', 'Failed 2', 'Unconfirmed 1'])
  // The last one has just left it: the choice does not vanish under the hand.
  expect(names('cancelled')).toEqual(['All 10', 'Accepted 7', 'Failed 2', 'Unconfirmed 1', 'Cancelled 0'])
})
