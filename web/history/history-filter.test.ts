import { describe, expect, it } from 'vitest'
import {
  choicesOf,
  isFiltered,
  isUpsideDown,
  isYearBegun,
  type ListFilter,
  NO_FILTER,
  readFilter,
  requestOf,
  writeFilter,
} from './history-filter.ts'

const FULL: ListFilter = { q: 'ann & bob', status: 'failed', from: '2026-11-01', to: '2026-11-15' }

describe('the address of the page', () => {
  it('keeps the whole filter, and gives it back', () => {
    expect(writeFilter(FULL)).toBe('?q=ann+%26+bob&status=failed&from=2026-11-01&to=2026-11-15')
    expect(readFilter(writeFilter(FULL))).toEqual(FULL)
    expect(readFilter('?q=%00ann')).toEqual({ ...NO_FILTER, q: 'ann' })
  })

  it('says nothing where nothing is chosen', () => {
    expect(writeFilter(NO_FILTER)).toBe('')
    expect(readFilter('')).toEqual(NO_FILTER)
  })

  it.each([
    '?status=lost',
    '?from=yesterday',
    '?from=2026-02-30',
    '?from=2026-13-01',
    '?to=2026-11-1',
    '?to=99999-01-01',
    '?sort=subject',
  ])('may hold nonsense, which is left out: %s', (search) => {
    expect(readFilter(search)).toEqual(NO_FILTER)
  })

  it('keeps a day of any year, also of one whose digits are still being typed', () => {
    for (const day of ['0002-10-02', '0020-10-02', '0202-10-02', '2026-10-02', '2024-02-29'])
      expect(readFilter(`?from=${day}`)).toEqual({ ...NO_FILTER, from: day })
  })

  it('searches for no more than the server takes', () => {
    expect(readFilter(`?q=${'x'.repeat(500)}`).q).toHaveLength(200)
  })
})

describe('what the server is asked', () => {
  it('is nothing where nothing is chosen, or only blanks are typed', () => {
    expect(requestOf({ ...NO_FILTER, q: '  ' })).toEqual({})
  })

  it('is for whole days where the person is, the last one included', () => {
    expect(requestOf(FULL)).toEqual({
      q: 'ann & bob',
      status: 'failed',
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 16).toISOString(),
    })
  })

  it('goes beyond the end of a year', () => {
    expect(requestOf({ ...NO_FILTER, to: '2026-12-31' })).toEqual({ to: new Date(2027, 0, 1).toISOString() })
  })
})

it('counts what is behind the Filter button, and knows whether anything is left out', () => {
  expect([choicesOf(NO_FILTER), choicesOf(FULL)]).toEqual([0, 3])
  expect(isFiltered(NO_FILTER)).toBe(false)
  expect(isFiltered({ ...NO_FILTER, q: ' ' })).toBe(false)
  expect(isFiltered({ ...NO_FILTER, q: 'a' })).toBe(true)
  expect(isFiltered({ ...NO_FILTER, to: '2026-11-15' })).toBe(true)
  expect(['', '0002-10-02', '0202-10-02', '1000-01-01', '2026-10-02'].map(isYearBegun)).toEqual([
    ...[false, true, true, false, false],
  ])
  expect(isUpsideDown(FULL)).toBe(false)
  expect(isUpsideDown({ ...FULL, from: '2026-11-16' })).toBe(true)
})
