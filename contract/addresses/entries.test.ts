import { describe, expect, it } from 'vitest'
import { entriesOf, takeTyped } from './entries.ts'

const read = (text: string): string[] => [...entriesOf(text)]

describe('a pasted list', () => {
  it.each([
    ['a@x.test, b@x.test', ['a@x.test', 'b@x.test']],
    ['a@x.test;b@x.test ; c@x.test', ['a@x.test', 'b@x.test', 'c@x.test']],
    ['a@x.test\r\nb@x.test\n\n  c@x.test  \n', ['a@x.test', 'b@x.test', 'c@x.test']],
    ['Ann Keller <ann@x.test>\nBob <bob@x.test>', ['Ann Keller <ann@x.test>', 'Bob <bob@x.test>']],
    ['"Keller, Ann" <ann@x.test>, bob@x.test', ['"Keller, Ann" <ann@x.test>', 'bob@x.test']],
    ['"Say \\", and go" <ann@x.test>, b@x.test', ['"Say \\", and go" <ann@x.test>', 'b@x.test']],
    ['Bob 6" Ford <b@x.test>, c@x.test', ['Bob 6" Ford <b@x.test>', 'c@x.test']],
    [', ;\n', []],
    ['', []],
  ])('%j is read as %j', (text, entries) => {
    expect(read(text)).toEqual(entries)
  })

  it('keeps the names that Outlook writes with a comma, where semicolons separate', () => {
    expect(read('Keller, Ann <ann@x.test>; Ford, Bob <bob@x.test>; c@x.test, d@x.test')).toEqual([
      '"Keller, Ann" <ann@x.test>',
      '"Ford, Bob" <bob@x.test>',
      'c@x.test',
      'd@x.test',
    ])
  })

  it('ends a quotation mark that was never closed with its line', () => {
    expect(read('"Ann <a@x.test>\nb@x.test')).toEqual(['"Ann <a@x.test>', 'b@x.test'])
  })

  it.each([
    ['separators', `;${' ,'.repeat(500_000)}`, 0],
    ['quotation marks behind blanks', `${' '.repeat(500_000)}${'"'.repeat(500_000)}`, 1],
    ['names that may hold commas', `;${'<a,@'.repeat(250_000)}`, 250_001],
  ])('takes no longer for a million %s than for any other list', (_, text, count) => {
    const begun = performance.now()
    expect(read(text)).toHaveLength(count)
    expect(performance.now() - begun).toBeLessThan(3_000)
  })

  it('cuts what is too long for any address, so that a draft can still hold it', () => {
    expect(read('x'.repeat(5_000))[0]).toHaveLength(600)
  })
})

describe('typed text', () => {
  it.each([
    ['ann@x.test', null],
    ['ann@x.test,', { entries: ['ann@x.test'], rest: '' }],
    ['ann@x.test, bo', { entries: ['ann@x.test'], rest: 'bo' }],
    ['"Keller, ', null],
    ['"Keller, Ann" <a@x.test>,', { entries: ['"Keller, Ann" <a@x.test>'], rest: '' }],
    [',', { entries: [], rest: '' }],
  ])('%j gives %j', (text, taken) => {
    expect(takeTyped(text)).toEqual(taken)
  })
})
