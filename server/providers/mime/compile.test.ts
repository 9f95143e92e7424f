import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { decodeWords } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { aCopy, aLetter } from '../../test/simulators/a-mail.ts'
import type { Copy, Letter } from '../provider.ts'
import { compileLetter, envelopeAddress } from './compile.ts'

const DATE = new Date('2026-11-15T06:51:19.123Z')
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
const table: { letter: Letter; copy: Copy }[] = Array.from(
  { length: Math.max(bodies.length, subjects.length, names.length) },
  (_, at) => mixed((from, step) => from[(at * step) % from.length] ?? ''),
)

function mixed(pick: (from: readonly string[], step: number) => string): { letter: Letter; copy: Copy } {
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

const randomTable = (): { letter: Letter; copy: Copy }[] => {
  const random = seeded(37)
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

describe.each([
  ['letters of every kind', table],
  ['random letters', randomTable()],
])('%s', (_, letters) => {
  it('say what Nodemailer would have made them say', async () => {
    for (const { letter, copy } of letters) {
      // Without a text Nodemailer sends the HTML alone; ours has both parts always.
      if (letter.text === '') continue
      const ours = await read(unstuffed(compileLetter(letter).fill(copy, DATE)))
      expect(ours, JSON.stringify(letter).slice(0, 2_000)).toEqual(
        await read(await byNodemailer(letter, copy)),
      )
    }
  })

  it('say what was written', async () => {
    for (const { letter, copy } of letters) {
      const mail = await read(unstuffed(compileLetter(letter).fill(copy, DATE)))
      const { from, subject, text, html } = letter
      expect(mail).toMatchObject({
        from: { name: from.name, address: envelopeAddress(from.address) },
        to: [{ name: copy.to.name, address: envelopeAddress(copy.to.address) }],
        subject,
        text: unified(text),
        html: unified(html),
        messageId: copy.messageId,
        date: '2026-11-15T06:51:19.000Z',
      })
    }
  })

  it('keep the rules of the wire', () => {
    for (const { letter, copy } of letters)
      expectWireRules(compileLetter(letter).fill(copy, DATE), letter, copy)
  })
})

/** SMTP takes the dots away again. */
const unstuffed = (message: Buffer): Buffer =>
  Buffer.from(message.toString('latin1').replace(/^\./gm, ''), 'latin1')

const unified = (text: string): string => text.replace(/\r\n|\r|\n/g, '\n')

async function byNodemailer(letter: Letter, copy: Copy): Promise<Buffer> {
  return new MailComposer({
    messageId: copy.messageId,
    date: DATE,
    from: letter.from,
    to: [copy.to],
    ...(letter.replyTo === null ? {} : { replyTo: [{ name: '', address: letter.replyTo }] }),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    headers: { ...letter.headers, ...copy.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

/** What a mail program shows and works with. */
async function read(message: Buffer) {
  const mail = await PostalMime.parse(message)
  const [textEncoding = '', htmlEncoding = ''] =
    message.toString('latin1').match(/(?<=\nContent-Transfer-Encoding: )[\w-]+/g) ?? []
  const others = mail.headers.filter(({ key }) => !['from', 'to', 'reply-to', 'content-type'].includes(key))
  return {
    from: mail.from,
    to: mail.to,
    replyTo: mail.replyTo,
    subject: mail.subject,
    messageId: mail.messageId,
    date: mail.date,
    text: asSent(mail.text ?? '', textEncoding),
    html: asSent(mail.html ?? '', htmlEncoding),
    keys: mail.headers.map(({ key }) => key).sort(),
    others: Object.fromEntries(others.map(({ key, value }) => [key, decodeWords(value)])),
  }
}

/** The parser counts the line break before a boundary to the part, unless that is in base64. */
const asSent = (text: string, encoding: string): string =>
  encoding === 'base64' ? unified(text) : unified(text).replace(/\n$/, '')

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const FIXED = ['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']

function expectWireRules(message: Buffer, letter: Letter, copy: Copy): void {
  const raw = message.toString('latin1')
  const about = JSON.stringify(letter).slice(0, 1_000)
  expect(raw, about).toMatch(/^[\t\r\n -~]*\r\n$/)
  expect(raw.replaceAll('\r\n', ''), about).not.toMatch(/[\r\n]/)
  expect(raw, about).not.toMatch(/^\.(?!\.)/m)

  const [head = '', ...rest] = unstuffed(message).toString('latin1').split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  for (const line of body.split('\r\n')) expect(line.length, line).toBeLessThanOrEqual(76)
  expect(body, about).not.toMatch(/^From /m)
  expect(body, about).not.toMatch(/[\t ]$/m)
  for (const line of head.split('\r\n')) {
    // One long word, as a link is, may pass 78 where there is no place to fold.
    const most = /^([\w-]+:)? ?\S+$/.test(line) ? 998 : line.includes('=?UTF-8?') ? 76 : 78
    expect(line.length, line).toBeLessThanOrEqual(most)
    expect(line, about).not.toMatch(/^\s*$|\s$/)
  }
  for (const word of head.match(/=\?UTF-8\?[BQ]\?[^?]*\?=/g) ?? []) {
    expect(word.length).toBeLessThanOrEqual(75)
    expect(decodeWords(word), word).not.toContain('\ufffd')
  }

  const names = head.match(/^[^\s:]+(?=:)/gm) ?? []
  const given = [...Object.keys(letter.headers), ...Object.keys(copy.headers)]
  const expected = [...FIXED, ...given, ...(letter.replyTo === null ? [] : ['Reply-To'])]
  expect(names.toSorted(), about).toEqual(expected.toSorted())

  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? 'none'
  expect(body.split(boundary), about).toHaveLength(4)
}

it('a reply address of each copy’s own is what the letter would say if it were written for that copy alone', () => {
  const [mark, token] = ['m'.repeat(48), 't-'.repeat(24)]
  for (const { letter, copy } of table.slice(0, 10)) {
    const written = (own: string): Letter => ({ ...letter, replyTo: `ann+${own}@in.example.test` })
    const filled = compileLetter({ ...written(mark), mark }).fill({ ...copy, token }, DATE)
    expect(filled.equals(compileLetter(written(token)).fill(copy, DATE))).toBe(true)
  }
})
