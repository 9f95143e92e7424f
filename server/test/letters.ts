import type { Copy, Letter } from '../providers/provider.ts'
import { mulberry32 } from './faults/chance.ts'
import { aCopy, aLetter } from './simulators/a-mail.ts'

type Mail = { letter: Letter; copy: Copy }

const LONG_WORD = 'x'.repeat(3_000)
const CYRILLIC = 'Съешь же ещё этих мягких французских булок, да выпей чаю. '
const EMOJI = '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽🎺'
const SCRIPTS = [
  'Grüße',
  'Привет',
  'Γειά',
  'שלום',
  'مرحبا بالعالم',
  'नमस्ते',
  '你好，世界',
  'こんにちは',
  '안녕하세요',
  EMOJI,
]

const bodies: string[] = [
  '',
  'Hello',
  'Hello\n',
  '\n\nHello\n\n\n',
  'one\rtwo\nthree\r\nfour\n\rfive\n\nsix',
  '.\n..\n.leading\n\n.\n',
  'From here\n>From there\nFrom ',
  `${'a'.repeat(75)} From here to ${'b'.repeat(75)} From there`,
  'spaces at the end   \ntab at the end\t\n \n\t\nend ',
  '\tindented\twith\ttabs\n    and spaces',
  'a=b =3D =? =?utf-8?Q?=41?= =\n==\n=_ --=_x',
  `--=_boundary\n--\n----\n${'-'.repeat(100)}`,
  'x'.repeat(76),
  'x'.repeat(77),
  `${'x'.repeat(75)} y`,
  `${'x'.repeat(75)}ü`,
  `${'x'.repeat(74)} \nx`,
  LONG_WORD,
  `${LONG_WORD} ${CYRILLIC}`,
  'word '.repeat(1_000),
  ...SCRIPTS,
  SCRIPTS.join('\n'),
  CYRILLIC.repeat(40),
  'e\u0301\u0302\u0303'.repeat(100),
  '\u202bשלום abc\u202c \u200fRTL',
  EMOJI.repeat(50),
  `${'Mostly ASCII, with one ü in each line of it.\n'.repeat(40)}`,
  'bell \u0007 escape \u001b form\u000cfeed delete \u007f next\u0085line separator\u2028x\ufeff',
  'The quick brown fox jumps over the lazy dog. '.repeat(2_300),
  CYRILLIC.repeat(1_000),
]

const subjects: string[] = [
  'x',
  'Hello, world',
  'a  b   c    d',
  'ends with =?',
  `See https://example.com/${'path/'.repeat(40)}`,
  'word '.repeat(60).trim(),
  'w'.repeat(300),
  'w'.repeat(1_500),
  `${'a'.repeat(69)} ${'b'.repeat(77)} c`,
  `${'a'.repeat(70)} b`,
  `a ${'b'.repeat(78)} c`,
  'Colon: comma, semi; <angle> (paren) [square] "quote" \\ back',
  ...SCRIPTS,
  ...SCRIPTS.map((text) => [...text.repeat(30)].slice(0, 150).join('')),
  CYRILLIC.repeat(5),
  'Rabatt: 50 % für alle – nur heute! ☕',
  'ü',
  'e\u0301'.repeat(60),
]

const names: string[] = [
  '',
  'Ann',
  'Ann Lee',
  'Ann  B. Lee',
  "Ann O'Neil & Sons!",
  'Lee, Ann',
  'Ann "A" Lee',
  'Ann (work) [x]',
  'C:\\Ann\\"',
  'ann@evil.test',
  'Ann <ann@evil.test>, Bob',
  'Team: a;',
  'n'.repeat(200),
  'name '.repeat(40).trim(),
  `Lee, ${'n'.repeat(190)}`,
  `${'Lee, Ann; '.repeat(19)}`.trim(),
  ...SCRIPTS,
  'Jörg "J" Müller, GmbH & Co. (KG)',
  CYRILLIC.repeat(3).trim(),
]

const headerSets: Record<string, string>[] = [
  {},
  { 'Auto-Submitted': 'auto-generated', 'X-Campaign': '42' },
  {
    'List-Unsubscribe': `<https://mail.example.com/u/${'t'.repeat(90)}?a=b>, <mailto:unsubscribe+${'t'.repeat(40)}@mail.example.com>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  { 'X-Note': 'ein Gruß', 'X-Long': 'word '.repeat(60).trim(), 'X-Gap': 'a  b' },
  { References: Array.from({ length: 20 }, (_, at) => `<${at}.reference@postrider.example>`).join(' ') },
]

const addresses = [
  'ann@x.test',
  "o'neil+tag@sub.example.com",
  'ann@bücher.example',
  `${'a'.repeat(64)}@example.com`,
]

/** Every body, subject, name and set of headers at least once, together with others. */
export const lettersOfEveryKind: Mail[] = Array.from(
  { length: Math.max(bodies.length, subjects.length, names.length) },
  (_, at) => mixed((from, step) => from[(at * step) % from.length] ?? ''),
)

function mixed(pick: (from: readonly string[], step: number) => string): Mail {
  const text = pick(bodies, 1)
  return {
    letter: aLetter({
      from: { name: pick(names, 1), address: pick(addresses, 1) },
      replyTo: pick(['', ...addresses], 1) || null,
      subject: pick(subjects, 1),
      text,
      html: `<!doctype html><p>${pick(bodies, 7)}</p>`,
      headers: headerSets[Number(pick(['0', '1', '2', '3', '4'], 1))] ?? {},
    }),
    copy: aCopy({
      to: { name: pick(names, 5), address: pick(addresses, 3) },
      messageId: '<0123456789.abcdef@mail.example.com>',
      headers: { 'Feedback-ID': '42:user:postrider' },
    }),
  }
}

/** Put together by chance, the same in every run. */
export function randomLetters(): Mail[] {
  const random = mulberry32(37)
  const number = (below: number): number => Math.floor(random() * below)
  const some = (from: readonly string[]): string => from[number(from.length)] ?? ''
  const words = [
    ...SCRIPTS,
    'word',
    'a',
    ' ',
    '  ',
    '.',
    '=',
    '=3D',
    '-',
    ',',
    '"',
    '\\',
    '(',
    '<',
    '@',
    '=_',
    'é',
    'From ',
  ]
  const text = (most: number): string =>
    Array.from({ length: 1 + number(most) }, () => some(words)).join(some(['', ' ']))
  return Array.from({ length: 300 }, () => {
    const { letter, copy } = mixed(some)
    const lines = Array.from({ length: number(40) }, () => text(number(60)))
    return {
      letter: {
        ...letter,
        subject: text(30).trim() || 'x',
        text: lines.join(some(['\n', '\r\n', '\r', '\n.'])),
      },
      copy: { ...copy, to: { ...copy.to, name: text(20).replace(/\s+/g, ' ').trim() } },
    }
  })
}
