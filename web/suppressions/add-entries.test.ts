import { expect, it } from 'vitest'
import { entriesToAdd, fileWords, problemWith } from './add-entries.ts'

const file = { name: 'left.csv', entries: ['bob@x.test', 'eve@x.test'], emptyRows: 0 }

it('takes what was typed and what the files hold, each once', () => {
  expect(entriesToAdd('ann@x.test, bob@x.test;\nAnn <ann@y.test>', [file])).toEqual([
    'ann@x.test',
    'bob@x.test',
    'Ann <ann@y.test>',
    'eve@x.test',
  ])
})

it('says why nothing can be added', () => {
  expect(problemWith(entriesToAdd(' ;, \n', []))).toMatch(/at least one/)
  expect(problemWith(['ann@x.test'])).toBeNull()
  expect(problemWith(Array.from({ length: 100_001 }, (_, n) => `a${n}@x.test`))).toBe(
    'These are 100,001 addresses. Please add at most 100,000 at a time.',
  )
})

it('tells what a file held', () => {
  expect(fileWords(file)).toBe('2 addresses from left.csv')
  expect(fileWords({ name: 'a.csv', entries: ['a@x.test'], emptyRows: 3 })).toBe(
    '1 address from a.csv · 3 rows without an address',
  )
})
