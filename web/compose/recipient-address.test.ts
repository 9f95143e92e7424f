import { describe, expect, it } from 'vitest'
import { readRecipient } from './recipient-address.ts'

describe('an entry that looks right', () => {
  it.each([
    'ann@x.test',
    'Ann.Keller+news@sub.x-y.test',
    "o'neill@x.test",
    '<ann@x.test>',
    // A mail server in the house is reached without a dot, and the server takes it.
    'ops@mailhost',
    'ann@büro',
    'Ann Keller <ann@x.test>',
    '"Keller, Ann" <ann@x.test>',
    'jürgen@bücher.example',
    '用户@例子.测试',
  ])('%j', (text) => {
    expect(readRecipient(text)).toMatchObject({ text, looksRight: true })
  })
})

describe('an entry that looks wrong', () => {
  it.each([
    'ann',
    'ann@',
    '@x.test',
    'ann@@x.test',
    'ann @x.test',
    'ann@x..test',
    'ann@x.test.',
    'ann@-x.test',
    'ann@127.0.0.1',
    'Keller, Ann <ann@x.test>',
    'Ann <ann@x.test',
    `${'a'.repeat(65)}@x.test`,
  ])('%j', (text) => {
    // A dot at the end is forgiven, as the server does.
    expect(readRecipient(text).looksRight).toBe(text === 'ann@x.test.')
  })
})

it('takes the spellings of one mailbox for the same', () => {
  const spellings = ['ann@x.test', 'ANN@X.TEST', 'Ann <Ann@x.test>', '"A, B" <ann@X.test>', 'ann@x.test.']
  expect(new Set(spellings.map((text) => readRecipient(text).key))).toEqual(new Set(['ann@x.test']))
  expect(readRecipient('Ops <ops@mailhost>').key).toBe(readRecipient('ops@mailhost').key)
})
