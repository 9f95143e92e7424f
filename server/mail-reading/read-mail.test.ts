import { describe, expect, it } from 'vitest'
import { readAttachment, readMail } from './read-mail.ts'
import { readPlainly } from './read-plainly.ts'
import type { ReadMail } from './reading.ts'
import * as letters from './samples/letters.ts'

const read = (raw: Buffer | string): Promise<ReadMail> => {
  const bytes = Buffer.from(raw)
  return readMail(bytes, readPlainly(bytes, 'ann@example.com'))
}

describe('the text of a mail', () => {
  it.each([
    [
      'quoted-printable in Latin 1',
      'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nK=F6ln',
      'Köln',
    ],
    ['UTF-8 that is not declared', 'Subject: x\n\nK\xc3\xb6ln', 'Köln'],
    ['UTF-8 that is declared as ASCII', 'Content-Type: text/plain; charset=us-ascii\n\nK\xc3\xb6ln', 'Köln'],
    ['Latin 1 that is not declared', 'Subject: x\n\nK\xf6ln', 'Köln'],
    ['a charset that nobody knows', 'Content-Type: text/plain; charset=x-martian\n\nK\xf6ln', 'Köln'],
    ['Cyrillic', 'Content-Type: text/plain; charset=koi8-r\n\n\xf0\xf2\xe9\xf7\xe5\xf4', 'ПРИВЕТ'],
    ['base64 cut in the middle', 'Content-Transfer-Encoding: base64\n\naGVsbG8gd29ybG', 'hello worl'],
    [
      'a wrong boundary',
      'Content-Type: multipart/mixed; boundary=a\n\n--=_other\nContent-Type: text/plain\n\nhello\n--=_other--\n',
      'hello',
    ],
    [
      'no blank line before the text of a part',
      'Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/plain\nhello\n--a--\n',
      'hello',
    ],
    ['carriage returns only', 'Subject: x\r\rhello', 'hello'],
    ['no headers at all', 'hello', 'hello'],
    ['half a character', 'Content-Type: text/plain; charset=utf-16le\n\nh\0i\0\0\xd8', 'hi\ufffd'],
    ['controls and NUL', 'Subject: x\n\nhe\0l\x07lo', 'hello'],
  ])('is read in spite of its form: %s', async (_name, raw, text) => {
    expect((await read(Buffer.from(raw, 'latin1'))).text?.trim()).toBe(text)
  })

  it('is taken from the HTML where there is no other', async () => {
    const { text } = await read(
      letters.page(
        '<style>p{color:red}</style><div style="display:none">hidden</div><h1>Title</h1><p>One <b>two</b><br>three</p><ul><li>a<li>b</ul><table><tr><td>x<td>y</table><blockquote type=cite>quoted</blockquote><pre>a\n  b</pre>',
      ),
    )
    expect(text).toBe('Title\n\nOne two\nthree\n\n- a\n- b\n\nx y\n\n> quoted\n\na\n  b')
  })

  it.each([
    ['PLAIN', 'Yes, at five. I will bring the biscuits.'],
    ['GMAIL_THREAD', 'Sounds lovely 🎉'],
    ['OUTLOOK', 'We accept the offer. [cid:image001.png@01D]'],
    ['APPLE', 'Yes, please.'],
    ['THUNDERBIRD', 'Fine with me.'],
    ['OWA', 'Done, thank you.'],
    ['YAHOO', 'Agreed.'],
    ['ORIGINAL_MESSAGE', 'See below.'],
    ['INTERLEAVED', 'Hello Ann, With milk. At five.'],
    ['NEWSLETTER', 'Tulips are back. Read on: https://garden.example/tulips'],
    ['JAPANESE', 'こんにちは'],
    ['ARABIC', 'مرحبا 🌹 كيف حالك؟'],
    ['ONLY_QUOTED', 'Nothing but a quote.'],
  ])('is previewed by what its author wrote: %s', async (name, preview) => {
    expect((await read(letters.LETTERS[name] ?? '')).preview).toBe(preview)
  })
})

describe('a text that is too long to be kept as a whole', () => {
  const row =
    '<tr><td style="border:1px solid #cccccc;font-family:Arial,sans-serif;padding:4px 8px">x</td></tr>'

  async function isNeverShownForWhole(
    _name: string,
    whole: Buffer | string,
    long: Buffer | string,
  ): Promise<void> {
    const raw = (mail: Buffer | string) => (typeof mail === 'string' ? Buffer.from(mail, 'latin1') : mail)
    expect(await read(raw(whole))).not.toHaveProperty('isPartial')
    expect(await read(raw(long))).toMatchObject({ text: expect.stringMatching(/x|a line/), isPartial: true })
  }

  it.each([
    [
      'very many lines',
      `Subject: x\n\n${'x\n'.repeat(19_000)}`,
      `Subject: x\n\n${'a line\n'.repeat(21_000)}`,
    ],
    [
      'very many signs',
      `Subject: x\n\n${`${'x'.repeat(70)}\n`.repeat(5_000)}`,
      `Subject: x\n\n${`${'x'.repeat(70)}\n`.repeat(10_000)}`,
    ],
    [
      'signs that are not declared',
      `Subject: x\n\n${`x\xf6${'x'.repeat(68)}\n`.repeat(1_000)}`,
      `Subject: x\n\n${`x\xf6${'x'.repeat(68)}\n`.repeat(2_000)}`,
    ],
  ])('is never shown for the whole: %s', isNeverShownForWhole)

  it.each<[string, Buffer, Buffer]>([
    [
      'much formatting',
      letters.page(`<table>${row.repeat(10)}</table>`),
      letters.page(`<table>${row.repeat(25_000)}</table>`),
    ],
    ['very many elements', letters.page('<p>x'.repeat(90_000)), letters.page('<p>x'.repeat(110_000))],
  ])('is never shown for the whole: %s', { tags: 'thorough' }, isNeverShownForWhole)
})

describe('the files of a mail', () => {
  it('are listed with names that are safe to show', async () => {
    expect((await read(letters.WITH_FILES)).attachments).toEqual([
      { name: 'Rechnung März.pdf', type: 'application/pdf', size: 14 },
      { name: 'attachment-2.eml', type: 'message/rfc822', size: 120 },
      { name: 'photogpj.exe', type: 'application/x-msdownload', size: 2 },
    ])
  })

  it.each([
    ['201 files', 201, 200],
    ['more parts than are read', 1_005, 0],
  ])('are never fewer than they were without a word: %s', async (_name, count, listed) => {
    const file = '--b\nContent-Disposition: attachment; filename=a.pdf\n\nx\n'
    const text = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n'
    const mail = await read(`${text}${file.repeat(count)}--b--\n`)
    expect(mail).toMatchObject({ text: expect.stringContaining('hello'), isPartial: true })
    expect(mail.attachments).toHaveLength(listed)
    expect(await read(`${text}${file.repeat(200)}--b--\n`)).not.toHaveProperty('isPartial')
  })

  it('come back whole, by their place in the list', async () => {
    expect(await readAttachment(letters.WITH_FILES, 0)).toMatchObject({ name: 'Rechnung März.pdf' })
    expect(Buffer.from((await readAttachment(letters.WITH_FILES, 1))?.bytes ?? []).toString()).toContain(
      'the inner text',
    )
    expect(await readAttachment(letters.WITH_FILES, 3)).toBeNull()
    expect(await readAttachment(letters.WITH_FILES, -1)).toBeNull()
  })

  it.each(['base64', 'quoted-printable', '8bit'])(
    'come back whole when they are long: %s',
    async (encoding) => {
      const line = 'The quick brown fox jumps over the lazy dog.\r\n'
      const bytes = Buffer.from(line.repeat(10_000).trimEnd())
      const body =
        encoding === 'base64' ? bytes.toString('base64').replace(/.{76}/g, '$&\r\n') : bytes.toString()
      const inner = `Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n${line}--c--`
      const raw = [
        'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello',
        `--b\r\nContent-Type: application/x-fox\r\nContent-Disposition: attachment; filename=fox.txt\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`,
        `--b\r\nContent-Type: message/rfc822\r\n\r\n${inner}${line.repeat(2_000)}`,
        '--b--\r\n',
      ].join('\r\n')
      expect(await read(raw)).toMatchObject({
        text: 'hello\n',
        attachments: [{ name: 'fox.txt', size: bytes.length }, {}],
      })
      expect(Buffer.from((await readAttachment(Buffer.from(raw), 0))?.bytes ?? [])).toEqual(bytes)
      expect((await readAttachment(Buffer.from(raw), 1))?.bytes.byteLength).toBeGreaterThan(90_000)
    },
  )

  it('have names without paths, tricks and emptiness, cut before their ending', async () => {
    const named = async (name: string): Promise<string | undefined> =>
      (await read(`Content-Type: application/pdf\nContent-Disposition: attachment; filename="${name}"\n\nx`))
        .attachments[0]?.name
    expect(await named('../../etc/passwd')).toBe('passwd')
    expect(await named('C:\\\\x\\\\a.pdf')).toBe('a.pdf')
    expect(await named('a<b>|?.pdf')).toBe('a_b___.pdf')
    expect(await named('...')).toBe('attachment-1.pdf')
    expect(await named(`${'x'.repeat(400)}.pdf`)).toMatch(/^x{146}\.pdf$/)
  })

  it('are of no type that could be mistaken for markup', async () => {
    const mail = await read('Content-Type: "text/<script>"; name=x\nContent-Disposition: attachment\n\nx')
    expect(mail.attachments).toEqual([{ name: 'x', type: 'application/octet-stream', size: 2 }])
  })
})
