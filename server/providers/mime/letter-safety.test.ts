import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../../test/computing.ts'
import { aCopy, aLetter } from '../../test/simulators/a-mail.ts'
import type { Copy, Letter } from '../provider.ts'
import { compileLetter, envelopeAddress } from './compile.ts'

const DATE = new Date('2026-11-15T06:51:19Z')

const rawOf = (letter: Partial<Letter>, copy: Parameters<typeof aCopy>[0] = {}): string =>
  compileLetter(aLetter(letter)).fill(aCopy(copy), DATE).toString('utf8')

const mailOf = (letter: Partial<Letter>, copy: Parameters<typeof aCopy>[0] = {}) =>
  PostalMime.parse(rawOf(letter, copy).replace(/^\./gm, ''))

const namesOf = (raw: string): string[] =>
  (raw.split('\r\n\r\n')[0] ?? '')
    .split(/\r\n(?![ \t])|\r(?!\n)|(?<!\r)\n/)
    .map((line) => line.split(':')[0] ?? '')

const BREAKS = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\0', '\v', '\f', '\t', '\u001b', '\u007f']

describe('a header', () => {
  const usual = namesOf(rawOf({ headers: { 'X-Note': 'x' } }))

  it.each(BREAKS)('is never made by %j in a subject, a name or a value', (sign) => {
    const evil = `x${sign}Bcc: eve@x.test${sign}${sign}body`
    for (const raw of [
      rawOf({ subject: evil, headers: { 'X-Note': 'x' } }),
      rawOf({ from: { name: evil, address: 'mail@x.test' }, headers: { 'X-Note': 'x' } }),
      rawOf({ headers: { 'X-Note': evil } }),
      rawOf({ subject: `${evil}ü`, headers: { 'X-Note': `${evil}ü` } }),
      rawOf({}, { to: { name: evil, address: 'ann@x.test' }, headers: { 'X-Note': evil } }),
    ])
      expect(
        namesOf(raw)
          .filter((name) => name !== 'Auto-Submitted')
          .toSorted(),
      ).toEqual(usual.toSorted())
  })

  it.each(BREAKS)('says a space for %j, also after decoding', async (sign) => {
    const mail = await mailOf({ subject: `a${sign}b`, from: { name: `ü${sign}b`, address: 'mail@x.test' } })
    expect([mail.subject, mail.from?.name]).toEqual(['a b', 'ü b'])
  })

  it.each(BREAKS)('is never made by %j in an address, a Message-ID or the name of a header', (sign) => {
    const evil = `x${sign}Bcc: eve@x.test`
    const attempts: [Partial<Letter>, Partial<Copy>][] = [
      [{ from: { name: '', address: `mail@x.test${sign}Bcc:eve@x.test` } }, {}],
      [{ from: { name: '', address: `a${sign}b@x.test` } }, {}],
      [{ from: { name: '', address: `a@x${sign}y.test` } }, {}],
      [{ replyTo: `a@x.test${sign}Bcc:eve@x.test` }, {}],
      [{ headers: { [`X${sign}Bcc`]: 'x' } }, {}],
      [{}, { to: { name: '', address: `a@x.test${sign}Bcc:eve@x.test` } }],
      [{}, { messageId: `<1@x.test>${sign}${evil}` }],
      [{}, { messageId: `<1${sign}@x.test>` }],
      [{}, { headers: { [`X-Note${sign}`]: 'x' } }],
    ]
    for (const [letter, copy] of attempts)
      expect(() => rawOf(letter, copy), JSON.stringify([letter, copy])).toThrow()
  })

  it.each(['Bcc', 'to', 'FROM', 'Sender', 'Content-Type', 'MIME-Version', 'X Y', 'X:', '', '1', 'Xü'])(
    'of the name %j is not to be set',
    (name) => {
      expect(() => rawOf({ headers: { [name]: 'x' } })).toThrow()
      expect(() => rawOf({}, { headers: { [name]: 'x' } })).toThrow()
    },
  )

  it('comes once: a copy has its own in the place of the letter’s, and none is given twice', async () => {
    const letter = { headers: { 'List-Unsubscribe': '<https://all.test>', 'X-Note': 'x' } }
    const copy = { headers: { 'list-unsubscribe': '<https://one.test>' } }
    expect((await mailOf(letter, copy)).headers.filter(({ key }) => /list|note/.test(key))).toMatchObject([
      { key: 'x-note', value: 'x' },
      { key: 'list-unsubscribe', value: '<https://one.test>' },
    ])
    expect(() => rawOf({ headers: { 'X-A': '1', 'x-a': '2' } })).toThrow('twice')
  })

  it.each([
    '=?utf-8?Q?=41nn?=',
    '=?UTF-8?b?QW5u?= x',
    'a =?iso-8859-1*en?q?a_b?= =?utf-8?Q?c?=',
    '=?utf-8?Q?a b?=',
  ])('says %j as it was typed, not what it would decode to', async (text) => {
    const mail = await mailOf(
      { subject: text, from: { name: text, address: 'mail@x.test' } },
      { to: { name: text, address: 'ann@x.test' } },
    )
    expect([mail.subject, mail.from?.name, mail.to?.[0]?.name]).toEqual([text, text, text])
  })

  it('leaves a link of a machine’s header whole, also one with signs of an encoded word', () => {
    const link = `<https://x.test/?u=?${'t'.repeat(200)}>`
    expect(rawOf({ headers: { 'List-Unsubscribe': `${link}, <mailto:u@x.test>` } })).toContain(
      `List-Unsubscribe: ${link},\r\n <mailto:u@x.test>\r\n`,
    )
  })

  it('of a word longer than a line may be is encoded', async () => {
    const raw = rawOf({ headers: { 'X-Note': 'x'.repeat(5_000) } })
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78)
  })

  it('of half a character says U+FFFD', async () => {
    const mail = await mailOf({ subject: 'a\ud83db', text: 'a\udc00b', html: '\ud83d' })
    expect([mail.subject, mail.text, mail.html]).toEqual(['a\ufffdb', 'a\ufffdb', '\ufffd'])
  })

  it('is encoded in the shorter of the two ways', () => {
    expect(rawOf({ subject: 'Herzliche Grüße an alle Kunden' })).toContain(
      '\r\nSubject: =?UTF-8?Q?Herzliche_Gr=C3=BC=C3=9Fe_an_alle_Kunden?=\r\n',
    )
    expect(rawOf({ subject: '你好' })).toContain('\r\nSubject: =?UTF-8?B?5L2g5aW9?=\r\n')
  })

  it('is there without a subject too', () => expect(rawOf({ subject: '' })).toContain('\r\nSubject:\r\n'))
})

describe('a body', () => {
  it.each(['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\r', '\r\n.\n', '\r\n.\r\n', '\0.\r\n', '\n\0.\n'])(
    'never ends a message by %j',
    (end) => {
      const raw = rawOf({ text: `x${end}MAIL FROM:<eve@x.test>`, html: `${end}${end}` })
      expect(raw).not.toMatch(/(^|\n|\r)\.(\r|\n)/)
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
    },
  )

  it('doubles a dot at the start of a line, in every encoding', () => {
    expect(rawOf({ text: '.\n.a\n..b\nc.' })).toContain('\r\n\r\n..\r\n..a\r\n...b\r\nc.\r\n--')
    expect(rawOf({ text: '.ü\n.a and more' })).toContain('\r\n\r\n..=C3=BC\r\n..a and more\r\n--')
    const broken = rawOf({ text: `${'x'.repeat(75)}.y` })
    expect(broken).toContain(`${'x'.repeat(75)}=\r\n...y`.replace('...', '..'))
  })

  it('takes any line end for one: a carriage return alone is a line of its own', async () => {
    const { text } = await mailOf({ text: 'a\r\r\nb\n\rc\rd\ne' })
    expect(text?.trimEnd()).toBe('a\n\nb\n\nc\nd\ne')
  })

  it('says U+FFFD for NUL and carries other controls', async () => {
    const { text } = await mailOf({ text: 'a\0b\u0007c\u007f' })
    expect(text?.trimEnd()).toBe('a\ufffdb\u0007c\u007f')
  })

  it.each([
    ['7bit', 'Hello\n\n    world\n'],
    ['quoted-printable', 'Grüße an alle'],
    ['quoted-printable', 'x'.repeat(77)],
    ['quoted-printable', 'trailing '],
    ['quoted-printable', 'From me'],
    ['quoted-printable', '--=_'],
    ['base64', 'Привет'],
    ['base64', '你好，世界'],
  ])('travels as %s: %j', (encoding, text) => {
    expect(/(?<=Encoding: ).*/.exec(rawOf({ text }))?.[0]).toBe(encoding)
  })

  it('has the same boundary each time, and another letter another', () => {
    const boundary = (letter: Partial<Letter>) => /boundary="(.*)"/.exec(rawOf(letter))?.[1]
    expect(boundary({ text: 'a' })).toBe(boundary({ text: 'a' }))
    expect(boundary({ text: 'a' })).not.toBe(boundary({ text: 'b' }))
    expect(boundary({ text: 'a', html: 'b' })).not.toBe(boundary({ text: '', html: 'ab' }))
  })
})

describe('an address', () => {
  it.each([
    ['ann@x.test', 'ann@x.test'],
    ['Ann@X.Test', 'Ann@X.Test'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
    ['jo\u0308rg@x.test', 'j\u00f6rg@x.test'],
    ['ann@例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ])('%s goes out as %s', (address, sent) => {
    expect(envelopeAddress(address)).toBe(sent)
    expect(rawOf({}, { to: address })).toContain(`\r\nTo: ${sent}\r\n`)
  })

  it.each(['', 'ann', 'Ann <ann@x.test>', 'a@x.test,b@x.test', '"a b"@x.test', 'a@[1.2.3.4]', 'a@x.test/y'])(
    'is not %j',
    (address) => {
      expect(() => envelopeAddress(address)).toThrow()
      expect(() => rawOf({}, { to: address })).toThrow()
    },
  )

  it('needs a server with SMTPUTF8 only for a local part that is not ASCII', () => {
    const needs = (letter: Partial<Letter>, to = 'ann@x.test') =>
      compileLetter(aLetter(letter)).needs(aCopy({ to }))
    const none = { eightBit: false, smtpUtf8: false }
    const both = { eightBit: true, smtpUtf8: true }
    expect(
      needs({ subject: '你好', text: '你好', from: { name: '你好', address: 'ann@bücher.example' } }),
    ).toEqual(none)
    expect(needs({}, 'ann@bücher.example')).toEqual(none)
    expect(needs({}, 'jörg@x.test')).toEqual(both)
    expect(needs({ from: { name: '', address: 'jörg@x.test' } })).toEqual(both)
    expect(needs({ replyTo: 'jörg@x.test' })).toEqual(both)
  })

  it('in UTF-8 is all of a message that is not ASCII', async () => {
    const parts = {
      subject: 'Grüße',
      from: { name: 'Jörg', address: 'jörg@bücher.example' },
      text: 'Grüße 你好',
    }
    const raw = rawOf(parts, { to: { name: 'Zoë', address: 'zoë@x.test' } })
    expect(raw.match(/[^\0-\x7f]+/g)).toEqual(['ö', 'ë'])
    expect(raw).toContain('\r\nMIME-Version: 1.0\r\n')
    expect(await mailOf(parts)).toMatchObject({
      from: { name: 'Jörg', address: 'jörg@xn--bcher-kva.example' },
      subject: 'Grüße',
    })
  })
})

it('has the date of its copy, in the second and after it', () => {
  const letter = compileLetter(aLetter())
  const dateOf = (date: string) => /Date: (.*)/.exec(letter.fill(aCopy(), new Date(date)).toString())?.[1]
  expect(dateOf('2026-11-05T06:51:19.000Z')).toBe('Thu, 05 Nov 2026 06:51:19 +0000')
  expect(dateOf('2026-11-05T06:51:19.999Z')).toBe('Thu, 05 Nov 2026 06:51:19 +0000')
  expect(dateOf('2026-11-05T06:51:20.000Z')).toBe('Thu, 05 Nov 2026 06:51:20 +0000')
})

it('gives each copy a buffer of its own', () => {
  const letter = compileLetter(aLetter())
  const first = letter.fill(aCopy({ to: 'ann@x.test' }), DATE)
  const before = first.toString()
  letter.fill(aCopy({ to: 'bob@x.test' }), DATE).fill(0)
  expect(first.toString()).toBe(before)
})

it('fills a thousand copies in a few milliseconds', async () => {
  const letter = compileLetter(
    aLetter({ text: 'A line of text.\n'.repeat(100), html: '<p>x</p>\n'.repeat(170) }),
  )
  const copies = Array.from({ length: 1_000 }, (_, at) => aCopy({ to: `ann${at}@x.test` }))
  const fillAll = () => {
    for (const copy of copies) letter.fill(copy, DATE)
  }
  // Only what has run a few times is compiled.
  for (let run = 0; run < 7; run += 1) fillAll()
  // About 4 µs each; composing anew takes a hundred times that.
  await expectBelow(30, () => computingTime(fillAll))
})
