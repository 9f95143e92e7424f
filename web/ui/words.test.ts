import { expect, it } from 'vitest'
import { counted, dateWords, inWords } from './words.ts'

it('counts in words', () => {
  expect([counted(1, 'recipient'), counted(1204, 'recipient'), counted(0, 'recipient')]).toEqual([
    '1 recipient',
    '1,204 recipients',
    '0 recipients',
  ])
})

it('sets commas as Intl does', () => {
  const plain = new Intl.NumberFormat('en-US')
  for (const count of [0, 7, 999, 1_000, 99_999, 100_000, 1_234_567, 1_000_000_000, -1, -999, -1_000])
    expect(inWords(count)).toBe(plain.format(count))
})

it('writes dates and times with two digits, as in the United States', () => {
  const local = new Date(2026, 2, 4, 9, 5).toISOString()
  expect(dateWords(local).replace(/\s/g, ' ')).toBe('03/04/2026, 09:05 AM')
})
