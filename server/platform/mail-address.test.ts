import { expect, it } from 'vitest'
import { parseMailAddress } from './mail-address.ts'

it.each([
  ['Ann@Example.COM', 'ann@example.com'],
  [' ann@example.com ', 'ann@example.com'],
  ['ann@example.com.', 'ann@example.com'],
  ['zoe\u0308@example.com', 'zo\u00eb@example.com'],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['first.last+tag@sub.example.com', 'first.last+tag@sub.example.com'],
  ['ann@localhost', 'ann@localhost'],
  ["o'neil@example.com", "o'neil@example.com"],
])('knows the mailbox of %s', (text, key) => {
  expect(parseMailAddress(text)?.key).toBe(key)
})

it.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@.com',
  'ann@example..com',
  'ann@-example.com',
  'ann@exa mple.com',
  'ann@exa_mple.com',
  'a nn@example.com',
  '.ann@example.com',
  'ann.@example.com',
  'a..nn@example.com',
  '"ann"@example.com',
  'Ann <ann@example.com>',
  'ann@example.com,bob@example.com',
  'ann@example.com\r\nBcc: bob@example.com',
  'ann\u0000@example.com',
  'ann@127.0.0.1',
  'ann@[127.0.0.1]',
  'ann@evil.com@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a'.repeat(64)}.com`,
  `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}`,
])('refuses %j', (text) => {
  expect(parseMailAddress(text)).toBeNull()
})
