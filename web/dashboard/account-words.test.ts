import { expect, it } from 'vitest'
import { accountOf } from './account-words.ts'

const CLEAN = { total: 1204, totalUnconfirmed: 0, totalSuppressed: 0, totalCancelled: 0 }

it('names the unconfirmed first, and everybody else whom no card counts', () => {
  expect(accountOf({ ...CLEAN, totalUnconfirmed: 1200 })).toBe(
    '1,200 unconfirmed: nobody knows whether they were taken',
  )
  expect(accountOf({ ...CLEAN, totalUnconfirmed: 1, totalSuppressed: 2, totalCancelled: 3 })).toBe(
    '1 unconfirmed: nobody knows whether they were taken · not counted as sent: 2 left out, 3 cancelled',
  )
  expect(accountOf({ ...CLEAN, total: 0, totalCancelled: 3 })).toBe('not counted as sent: 3 cancelled')
})

it('says so when the cards tell everything', () => {
  expect(accountOf(CLEAN)).toBe('All 1,204 recipients are accounted for.')
  expect(accountOf({ ...CLEAN, total: 1 })).toBe('The one recipient is accounted for.')
  expect(accountOf({ ...CLEAN, total: 0 })).toBe('Every recipient will be accounted for here.')
})
