import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { decodeWords } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { lettersOfEveryKind, randomLetters } from '../../test/letters.ts'
import type { Copy, Letter } from '../provider.ts'
import { compileLetter, envelopeAddress } from './compile.ts'

const DATE = new Date('2026-11-15T06:51:19.123Z')
describe.each([
  ['letters of every kind', lettersOfEveryKind],
  ['random letters', randomLetters()],
])('%s', (kind, letters) => {
  const tags = kind === 'random letters' ? 'thorough' : []

  it('say what Nodemailer would have made them say', { tags }, async () => {
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

  it('keep the rules of the wire', { tags }, () => {
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
  for (const { letter, copy } of lettersOfEveryKind.slice(0, 10)) {
    const written = (own: string): Letter => ({ ...letter, replyTo: `ann+${own}@in.example.test` })
    const filled = compileLetter({ ...written(mark), mark }).fill({ ...copy, token }, DATE)
    expect(filled.equals(compileLetter(written(token)).fill(copy, DATE))).toBe(true)
  }
})
