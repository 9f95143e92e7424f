import { describe, expect, it } from 'vitest'
import { parseMailAddress, parseRecipient, readRecipient } from './mail-address.ts'

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
  'ann@example.com/x',
  'ann@example.com?x',
  'ann@example.com#x',
  'ann@example.com\\x',
  'ann@exa%6dple.com',
  'ann@exa\tmple.com',
  'ann@exa\nmple.com',
  'ann@exa\u00admple.com',
  'ann@exa\u200bmple.com',
  '\u0338ann@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a'.repeat(64)}.com`,
  `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}`,
])('refuses %j', (text) => {
  expect(parseMailAddress(text)).toBeNull()
})

const LONG_DOMAIN = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`

describe('a recipient', () => {
  it.each<[entry: string, name: string, address: string, key?: string]>([
    ['ann@example.com', '', 'ann@example.com'],
    [' ann@example.com ', '', 'ann@example.com'],
    ['\ufeffann@example.com', '', 'ann@example.com'],
    ['\u00a0ann@example.com\u3000', '', 'ann@example.com'],
    ['<ann@example.com>', '', 'ann@example.com'],
    [' <ann@example.com>', '', 'ann@example.com'],
    ['"" <ann@example.com>', '', 'ann@example.com'],
    ['Ann <ann@example.com>', 'Ann', 'ann@example.com'],
    ['Ann<ann@example.com>', 'Ann', 'ann@example.com'],
    ['  Ann   B.  Lee   <ann@example.com>  ', 'Ann B. Lee', 'ann@example.com'],
    ["Ann O'Neil-Lee & Sons! <ann@example.com>", "Ann O'Neil-Lee & Sons!", 'ann@example.com'],
    ['"Ann" <ann@example.com>', 'Ann', 'ann@example.com'],
    ['"Ann"<ann@example.com>', 'Ann', 'ann@example.com'],
    ['"Lee, Ann" <ann@example.com>', 'Lee, Ann', 'ann@example.com'],
    ['"Ann \\"A\\" \\\\ Lee" <ann@example.com>', 'Ann "A" \\ Lee', 'ann@example.com'],
    ['"Ann (work)" <ann@example.com>', 'Ann (work)', 'ann@example.com'],
    ['"bob@evil.com" <ann@example.com>', 'bob@evil.com', 'ann@example.com'],
    ['"Bob <bob@evil.com>" <ann@example.com>', 'Bob <bob@evil.com>', 'ann@example.com'],
    ['"  Ann \u00a0 Lee " <ann@example.com>', 'Ann Lee', 'ann@example.com'],
    ['=?utf-8?Q?Ann?= <ann@example.com>', '=?utf-8?Q?Ann?=', 'ann@example.com'],
    ['Jörg Müller <joerg@example.com>', 'Jörg Müller', 'joerg@example.com'],
    ['محمد <m@example.com>', 'محمد', 'm@example.com'],
    ['👩‍👩‍👧 Family <f@example.com>', '👩‍👩‍👧 Family', 'f@example.com'],
    ['Ann Lee <Ann.Lee@Example.COM>', 'Ann Lee', 'Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['ann@example.com.', '', 'ann@example.com'],
    ['Ann <ann@example.com.>', 'Ann', 'ann@example.com'],
    ['first.last+tag@sub.example.com', '', 'first.last+tag@sub.example.com'],
    ["!#$%&'*+/=?^_`{|}~-@example.com", '', "!#$%&'*+/=?^_`{|}~-@example.com"],
    // A relay of the eighties would have sent this on; to us it is one atom of one mailbox.
    ['user%evil.com@example.com', '', 'user%evil.com@example.com'],
    ['evil.com!user@example.com', '', 'evil.com!user@example.com'],
    ['a@b', '', 'a@b'],
    ['ann@localhost', '', 'ann@localhost'],
    ['1@2.example', '', '1@2.example'],
    ['ann@3com.example', '', 'ann@3com.example'],
    ['ann@ab--cd.example', '', 'ann@ab--cd.example'],
    ['jörg@bücher.example', '', 'jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
    ['JÖRG@BÜCHER.example', '', 'JÖRG@BÜCHER.example', 'jörg@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', '', 'ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@ｅxample.com', '', 'ann@ｅxample.com', 'ann@example.com'],
    ['用户@例え。テスト', '', '用户@例え。テスト', '用户@xn--r8jz45g.xn--zckzah'],
    ['ann@i❤.ws', '', 'ann@i❤.ws', 'ann@xn--i-7iq.ws'],
    ['zoe\u0308@example.com', '', 'zo\u00eb@example.com', 'zo\u00eb@example.com'],
    ['ann@example.\u212aim', '', 'ann@example.Kim', 'ann@example.kim'],
    [`${'a'.repeat(64)}@example.com`, '', `${'a'.repeat(64)}@example.com`],
    [`${'a'.repeat(64)}@${LONG_DOMAIN}`, '', `${'a'.repeat(64)}@${LONG_DOMAIN}`],
    [`${'n'.repeat(200)} <ann@example.com>`, 'n'.repeat(200), 'ann@example.com'],
    ['constructor@example.com', '', 'constructor@example.com'],
    ['__proto__@constructor', '', '__proto__@constructor'],
  ])('is read from %j', (entry, name, address, key = address) => {
    expect(parseRecipient(entry)).toEqual({ name, address, key })
    expect(readRecipient(entry)).toEqual({ name, address, key })
  })

  it.each([
    '',
    ' ',
    'ann',
    '@',
    '<>',
    '< >',
    '>',
    '<',
    'Ann <>',
    'Ann',
    '@example.com',
    'ann@',
    // more than one
    'ann@example.com, bob@example.com',
    'ann@example.com;bob@example.com',
    'ann@example.com bob@example.com',
    '<ann@example.com> <bob@example.com>',
    '<ann@example.com><bob@example.com>',
    'Ann <ann@example.com>, Bob <bob@example.com>',
    'ann@example.com,',
    ',ann@example.com',
    'bob@evil.com <ann@example.com>',
    'Lee, Ann <ann@example.com>',
    'Ann; Bob <ann@example.com>',
    // groups, comments, routes
    'Friends: ann@example.com;',
    'Friends:;',
    'Friends: Ann <ann@example.com>',
    'ann@example.com (Ann)',
    '(Ann) ann@example.com',
    'ann(comment)@example.com',
    'ann@(comment)example.com',
    'Ann (work) <ann@example.com>',
    '<@relay.example:ann@example.com>',
    '<@a.example,@b.example:ann@example.com>',
    // quoted local parts
    '"ann"@example.com',
    '"a@evil x"@internal.example',
    '"a@evil.com x"@internal.example',
    '<"a@evil x"@internal.example>',
    'Ann <"ann lee"@example.com>',
    '"ann\\"@evil.com\\""@example.com',
    'ann."b".lee@example.com',
    // brackets and what stands around them
    'Ann <<ann@example.com>>',
    'Ann <bob <ann@example.com>',
    'Ann <ann@example.com',
    'Ann ann@example.com>',
    'Ann <ann@example.com> x',
    '<ann@example.com> Ann',
    'Ann < ann@example.com >',
    'Ann > <ann@example.com>',
    '"Ann <ann@example.com>',
    'Ann" <ann@example.com>',
    '"Ann" Lee <ann@example.com>',
    'Ann "A" Lee <ann@example.com>',
    '"Ann\\" <ann@example.com>',
    'Ann \\ Lee <ann@example.com>',
    'Ann [work] <ann@example.com>',
    '"Ann <bob@evil.com>" ann@example.com',
    'mailto:ann@example.com',
    // controls, line breaks, turned directions, halves of characters
    'ann@example.com\r\nBcc: bob@example.com',
    'ann@example.com\n',
    '\tann@example.com',
    'Ann\t<ann@example.com>',
    'Ann\r\n <ann@example.com>',
    '"Ann\r\n Lee" <ann@example.com>',
    '"Ann\\\n" <ann@example.com>',
    'Ann\u0085 <ann@example.com>',
    'Ann\u2028 <ann@example.com>',
    'Ann\u0000 <ann@example.com>',
    'ann\u0000@example.com',
    'ann@exam\nple.com',
    'Ann \u202eeeL <ann@example.com>',
    'Ann \u2066Lee <ann@example.com>',
    'ann\u202e@example.com',
    'ann\u200b@example.com',
    'Ann \ud83d <ann@example.com>',
    'ann\udc00@example.com',
    '<\u0338ann@example.com>',
    // domains
    'ann@example..com',
    'ann@.example.com',
    'ann@example.com..',
    'ann@-example.com',
    'ann@example-.com',
    'ann@exa_mple.com',
    'ann@exa mple.com',
    'ann@exa%6dple.com',
    'ann@example.com/x',
    'ann@example.com:25',
    'ann@example.com?x',
    'ann@exa\u00admple.com',
    'ann@127.0.0.1',
    'ann@0x7f.1',
    'ann@2130706433',
    'ann@１２７.０.０.１',
    'ann@example.123',
    'ann@[127.0.0.1]',
    'ann@[IPv6:::1]',
    'ann@evil.com@example.com',
    // local parts and lengths
    '.ann@example.com',
    'ann.@example.com',
    'a..nn@example.com',
    'a nn@example.com',
    'ann @example.com',
    'ann@ example.com',
    'ann\\@example.com',
    'ann,lee@example.com',
    'ann[lee]@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'ö'.repeat(33)}@example.com`,
    `ann@${'a'.repeat(64)}.com`,
    `${'a'.repeat(64)}@${LONG_DOMAIN}d`,
    `${'n'.repeat(201)} <ann@example.com>`,
    `"${'n'.repeat(201)}" <ann@example.com>`,
    `${' '.repeat(1_000)}ann@example.com`,
  ])('is not %j', (entry) => {
    expect(parseRecipient(entry)).toBeNull()
    expect(readRecipient(entry)).toBeNull()
  })

  it('is the same by the short way and by the rule in full', () => {
    const random = seeded(8)
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

  it('remembers only so many domains, and answers the same afterwards', () => {
    for (let at = 0; at < 10_000; at++)
      expect(parseRecipient(`Ann@D${at}.Example`)?.key).toBe(`ann@d${at}.example`)
    expect(parseRecipient('Ann@D0.Example')?.key).toBe('ann@d0.example')
  })
})

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

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
