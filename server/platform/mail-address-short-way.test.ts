import { expect, it } from 'vitest'
import { mulberry32 } from '../test/faults/chance.ts'
import { parseRecipient, readRecipient } from './mail-address.ts'

const LONG_DOMAIN = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
const SHAPES = [
  'L@D',
  'L@D',
  'N <L@D>',
  'N<L@D>',
  '"N" <L@D>',
  ' L@D',
  '<L@D>',
  'N',
  'N L@D',
  'N <L@D> ',
] as const
const PIECES = [
  ...[
    'a',
    'Ann',
    'B.',
    '.',
    '..',
    '-',
    '_',
    '+',
    '%',
    "'",
    '1',
    '9x',
    'Lee',
    '  ',
    ' ',
    '\t',
    '\n',
    '\u0085',
  ],
  ...[
    '"',
    '\\',
    '\\"',
    '<',
    '>',
    '(',
    ')',
    ',',
    ';',
    ':',
    '@',
    '[',
    ']',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\u202e',
  ],
  ...['ö', 'o\u0308', '\u0308', '\u212a', '\u0130', '用', '🎺', '\ud83d', '\u200d', '\u00ad', 'x'.repeat(70)],
] as const
const LOCALS = ['ann', 'Ann.Lee', 'a', "o'neil+x", '%_-', 'jörg', 'x'.repeat(64), '\u212a'] as const
const DOMAINS = [
  ...[
    'example.com',
    'Example.COM',
    'a',
    'localhost',
    'xn--bcher-kva.example',
    'XN--BCHER-KVA.de',
    'xn--a.com',
  ],
  ...[
    'bücher.example',
    'K\u212a.com',
    'İ.com',
    '1.2.3.4',
    '0x7f.1',
    '1.2',
    'a.1',
    'a.1a',
    'a.0x',
    '9.com',
    'a_b.c',
  ],
  ...[
    '-a.com',
    'a-.com',
    'a--b.com',
    'a..b',
    '',
    'b'.repeat(63),
    'b'.repeat(64),
    LONG_DOMAIN,
    `${LONG_DOMAIN}.d`,
  ],
] as const

it('a recipient is the same by the short way and by the rule in full', () => {
  const random = mulberry32(8)
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  let taken = 0
  for (let round = 0; round < 60_000; round++) {
    const entry = pick(SHAPES)
      .replace('D', () => pick(DOMAINS) + pick(['', '', '.', pick(PIECES)]))
      .replace('L', () => pick(LOCALS) + pick(['', '', '.', pick(PIECES)]))
      .replace('N', () => [pick(PIECES), pick(PIECES), pick(PIECES)].join(pick(['', ' '])))
    const answer = parseRecipient(entry)
    if (answer) taken++
    expect(answer, JSON.stringify(entry)).toEqual(readRecipient(entry))
  }
  // Both of them answering null all the time would prove nothing.
  expect(taken).toBeGreaterThan(5_000)
})
