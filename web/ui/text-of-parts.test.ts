import { expect, it } from 'vitest'
import { initialsOf } from './avatar.tsx'
import { digitsOf } from './code-input.tsx'

it.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['Your code: 12-34-56.', '123456'],
  ['1234567', '123456'],
  ['abc', ''],
])('reads the code in %j as %j', (text, digits) => {
  expect(digitsOf(text, 6)).toBe(digits)
})

it.each([
  ['Anna Keller', 'AK'],
  ['anna.keller@example.com', 'AK'],
  ['jo@example.com', 'JO'],
  ['', '?'],
])('gives %j the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
