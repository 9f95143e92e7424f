import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth'
import { describe, expect, it } from 'vitest'
import { dkimRecord } from '../platform/dkim-key.ts'
import { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { createDkim } from './dkim.ts'
import { compileLetter } from './mime/compile.ts'
import type { Copy, Letter } from './provider.ts'

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const record = dkimRecord('sel', 'example.test', key)
const sign = createDkim({ domain: 'example.test', selector: 'sel', key })
const DATE = new Date('2026-11-15T06:51:19.123Z')
const MARK = 'M'.repeat(48)
const TOKEN = 't-_0'.repeat(12)

const resolver = async (name: string, type: string): Promise<string[][]> => {
  if (name !== record.name || type !== 'TXT') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
  return [[record.value]]
}

/** As the receiver stores it, who takes the doubled dots away. */
const received = (wire: Buffer): Buffer =>
  Buffer.from(wire.toString('latin1').replaceAll('\r\n..', '\r\n.'), 'latin1')

const signedMail = async (letter: Partial<Letter>, copy: Partial<Copy> = {}): Promise<Buffer> =>
  received(await sign(compileLetter(aLetter(letter)).fill(aCopy(copy), DATE)))

async function verdict(mail: Buffer) {
  const { results } = await dkimVerify(mail, { resolver })
  const [result] = results
  return { count: results.length, result: result?.status.result, headers: result?.signingHeaders?.keys }
}

const CASES: [string, Partial<Letter>, Partial<Copy>?][] = [
  ['a plain one', {}],
  ['an empty one', { text: '', html: '' }],
  ['lines that begin with dots', { text: '.\n..\n.hidden\n\n.\n', html: '.<p>\n..</p>\n.' }],
  ['long lines', { text: `${'x'.repeat(3_000)}\n${'word '.repeat(2_000)}` }],
  ['blanks everywhere', { text: 'a  b \t c   \n\t\n   \nd\n\n\n\n', subject: 'two  blanks   and more' }],
  ['every script', { text: 'Grüße à\n你好\nمرحبا\n👍🏽\n', subject: 'Grüße à 你好 👍🏽'.repeat(8) }],
  [
    'a sender and a recipient in UTF-8',
    { replyTo: 'à@example.test' },
    { to: { name: 'Jörg à', address: 'jörgà@example.test' } },
  ],
  [
    'a token in body and headers',
    {
      mark: MARK,
      text: `Leave: https://x.test/u/${MARK} ü`,
      html: `<a href="https://x.test/u/${MARK}">Leave</a><img src="https://x.test/t/${MARK}.gif">`,
      headers: {
        'List-Unsubscribe': `<https://x.test/u/${MARK}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    },
    { token: TOKEN },
  ],
]

describe('a signed mail', () => {
  it.each(CASES)('is found genuine by a stranger: %s', async (_name, letter, copy) => {
    expect(await verdict(await signedMail(letter, copy))).toMatchObject({ count: 1, result: 'pass' })
  })

  it('has all headers signed that matter, the two of the unsubscribe button among them', async () => {
    const [, letter = {}, copy = {}] = CASES.at(-1) ?? []
    const { headers } = await verdict(await signedMail({ ...letter, replyTo: 'ann@x.test' }, copy))
    expect(headers?.split(':').map((name) => name.trim().toLowerCase())).toEqual([
      'from',
      'reply-to',
      'subject',
      'date',
      'message-id',
      'to',
      'mime-version',
      'content-type',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ])
  })

  it('is found out when a single byte is another one', async () => {
    const [, letter = {}, copy = {}] = CASES.at(-1) ?? []
    const mail = await signedMail(letter, copy)
    const text = mail.toString('latin1')
    for (const place of [
      text.indexOf(TOKEN),
      text.lastIndexOf(TOKEN) + 47,
      text.indexOf('Subject: ') + 9,
      text.indexOf('One-Click'),
      text.indexOf('Leave'),
      text.indexOf(' b=') + 8,
    ]) {
      const changed = Buffer.from(mail)
      changed[place] = changed[place] === 0x41 ? 0x42 : 0x41
      // The package calls a body that is another one neutral.
      expect(['fail', 'neutral'], `at ${place}`).toContain((await verdict(changed)).result)
    }
  })

  it('keeps to short lines, and all else stays as it was', async () => {
    const plain = compileLetter(aLetter()).fill(aCopy(), DATE)
    const signed = await sign(plain)
    expect(signed.subarray(signed.length - plain.length)).toEqual(plain)
    const header = signed.toString('latin1', 0, signed.length - plain.length)
    expect(header).toMatch(
      /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed;\r\n d=example\.test; s=sel;\r\n/,
    )
    for (const line of header.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  })
})
