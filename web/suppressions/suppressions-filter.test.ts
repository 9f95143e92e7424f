import { expect, it } from 'vitest'
import { isFiltered, NO_FILTER, readFilter, requestOf, writeFilter } from './suppressions-filter.ts'

it('keeps search and reason in the address of the page', () => {
  const filter = { q: 'ann+news@', reason: 'hard-bounce' } as const
  expect(writeFilter(filter)).toBe('?q=ann%2Bnews%40&reason=hard-bounce')
  expect(readFilter(writeFilter(filter))).toEqual(filter)
  expect(writeFilter(NO_FILTER)).toBe('')
})

it('leaves out what makes no sense', () => {
  expect(readFilter('?reason=whatever&q=%00ann')).toEqual({ q: 'ann', reason: null })
  expect(readFilter(`?q=${'a'.repeat(400)}`).q).toHaveLength(320)
})

it('asks the server only for what was chosen', () => {
  expect(requestOf({ q: '  ', reason: null })).toEqual({})
  expect(requestOf({ q: ' ann ', reason: 'complaint' })).toEqual({ q: 'ann', reason: 'complaint' })
  expect([
    isFiltered({ q: ' ', reason: null }),
    isFiltered({ q: '', reason: 'manual' }),
    isFiltered({ q: 'a', reason: null }),
  ]).toEqual([false, true, true])
})
