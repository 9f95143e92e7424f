import { randomBytes } from 'node:crypto'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { type MailPieces, rebuildMail, rebuiltSize } from './rebuilt-mail.ts'

const NOTHING: MailPieces = { headers: [], bodies: [], attachments: [] }
const rebuilt = (pieces: Partial<MailPieces>): Promise<Buffer> => rebuildMail({ ...NOTHING, ...pieces })
const read = (mail: Buffer) => PostalMime.parse(mail, { attachmentEncoding: 'arraybuffer' })
const lines = (mail: Buffer): string[] => mail.toString('latin1').split('\r\n')

const aText = (content: string, charset = 'utf-8') => ({
  type: 'text/plain' as const,
  charset,
  content: Buffer.from(content),
})
const aFile = (content: Buffer, rest: Partial<MailPieces['attachments'][number]> = {}) => ({
  name: 'a.bin',
  type: 'application/x-any',
  contentId: null,
  content,
  ...rest,
})

describe('a mail that is put together again', () => {
  it('holds every file byte for byte, whatever its size, and has no byte too many', async () => {
    const sizes = [0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 56_999, 57_000, 57_001, 57_058, 200_000]
    const contents = sizes.map((size) => randomBytes(size))
    const mail = await rebuilt({
      bodies: [aText('Hello')],
      attachments: contents.map((content) => aFile(content)),
    })
    const { text, attachments } = await read(mail)
    expect(text?.trim()).toBe('Hello')
    expect(attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))).toEqual(contents)
    expect(mail.subarray(-30).toString()).toMatch(/--=_postrider_mixed--\r\n$/)
    expect(mail.length).toBeLessThan(rebuiltSize(sizes.reduce((sum, size) => sum + size, 0)))
    for (const line of lines(mail)) expect(line.length).toBeLessThanOrEqual(200)
  })

  it('has every file, however its name is cut', async () => {
    const names = [199, 200].map((length) => `${'a'.repeat(length)}😀.pdf`)
    const mail = await rebuilt({ attachments: names.map((name) => aFile(Buffer.from('x'), { name })) })
    const { attachments } = await read(mail)
    expect(attachments.map(({ filename }) => filename)).toEqual([`${'a'.repeat(199)}\ufffd`, 'a'.repeat(200)])
  })

  it('is the same each time, also with nothing in it', async () => {
    const pieces = { headers: [['Subject', 'x']] as const, bodies: [aText('a'), aText('b')] }
    expect(await rebuilt(pieces)).toEqual(await rebuilt(pieces))
    expect(await read(await rebuilt({}))).toMatchObject({ attachments: [] })
    expect((await read(await rebuilt({ attachments: [aFile(Buffer.from('x'))] }))).attachments).toHaveLength(
      1,
    )
  })

  it('leaves out how it was packed, and keeps every other header on a line of its own', async () => {
    const mail = await rebuilt({
      headers: [
        ['Subject', 'One\r\nBcc: eve@x.test\r\n\r\n<script>'],
        ['Content-Type', 'text/html'],
        ['content-transfer-encoding', 'base64'],
        ['MIME-VERSION', '2.0'],
        ['Bad name', 'x'],
        ['Bad:name', 'x'],
        ['Bad\r\nname', 'x'],
        ['X-Folded', 'a\n\tb\0c'],
      ],
    })
    const head = lines(mail).slice(0, lines(mail).indexOf(''))
    expect(head).toEqual([
      'Subject: One Bcc: eve@x.test <script>',
      'X-Folded: a b c',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: base64',
    ])
  })

  it('lets nothing that a stranger names out of its place', async () => {
    const mail = await rebuilt({
      bodies: [aText('--=_postrider_mixed--\r\n', 'utf-8"\r\nX-Evil: 1')],
      attachments: [
        aFile(Buffer.from('--=_postrider_mixed'), {
          name: 'ä"\r\nX-Evil: 1.txt',
          type: 'text/html"\r\nX-Evil: 1',
          contentId: 'a>\r\nX-Evil: 1',
        }),
      ],
    })
    expect(mail.toString('latin1')).not.toMatch(/^X-Evil/m)
    const { attachments } = await read(mail)
    expect(attachments).toMatchObject([{ mimeType: 'application/octet-stream' }])
    expect(attachments[0]?.filename).toContain('ä')
  })
})
