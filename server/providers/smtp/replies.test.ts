import { describe, expect, it } from 'vitest'
import { readCapabilities } from './capabilities.ts'
import { createReplyReader, type Reply } from './replies.ts'

function read(...chunks: (string | Buffer)[]): { replies: Reply[]; isFine: boolean; hasRest: boolean } {
  const replies: Reply[] = []
  const reader = createReplyReader((reply) => replies.push(reply))
  const isFine = chunks.every((chunk) => reader.feed(Buffer.from(chunk)))
  return { replies, isFine, hasRest: reader.hasRest() }
}

describe('replies', () => {
  const stream = '220 hello\r\n250-first\r\n250-zweite Größe\r\n250 last\r\n354\r\n250 \r\n'
  const expected = [
    { code: 220, text: 'hello' },
    { code: 250, text: 'first\nzweite Größe\nlast' },
    { code: 354, text: '' },
    { code: 250, text: '' },
  ]

  it('are the same however the network cuts them', () => {
    const bytes = Buffer.from(stream)
    expect(read(stream)).toEqual({ replies: expected, isFine: true, hasRest: false })
    for (let cut = 1; cut < bytes.length; cut++)
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut)).replies).toEqual(expected)
    expect(read(...[...bytes].map((byte) => Buffer.from([byte]))).replies).toEqual(expected)
  })

  it('tell whether something came behind them', () => {
    expect(read('220 go\r\n').hasRest).toBe(false)
    expect(read('220 go\r\n2').hasRest).toBe(true)
    expect(read('220 go\r\n250-more\r\n').hasRest).toBe(true)
  })

  it.each([
    ['no code', 'hello\r\n'],
    ['two digits', '22 x\r\n'],
    ['a code that does not exist', '120 x\r\n'],
    ['no sign behind the code', '250x\r\n'],
    ['codes that disagree', '250-x\r\n550 y\r\n'],
    ['an empty line', '\r\n'],
    ['a long line', `250 ${'x'.repeat(3000)}\r\n`],
    ['a long line without end', `250 ${'x'.repeat(3000)}`],
    ['too many lines', '250-x\r\n'.repeat(200)],
  ])('are not made of %s', (_name, text) => {
    expect(read(text)).toMatchObject({ replies: [], isFine: false })
  })
})

describe('capabilities', () => {
  it('are read in any case, with the old spelling of AUTH', () => {
    const text = 'mx.x.test\npipelining\nSIZE 1000\nAUTH=LOGIN\nAUTH PLAIN XOAUTH2\n8BitMime\nSTARTTLS'
    expect(readCapabilities(text)).toEqual({
      pipelining: true,
      eightBit: true,
      smtpUtf8: false,
      startTls: true,
      size: true,
      sizeMax: 1000,
      signIn: new Set(['LOGIN', 'PLAIN', 'XOAUTH2']),
    })
  })

  it('never come from the greeting, and a size may be without a limit', () => {
    expect(readCapabilities('STARTTLS PIPELINING\nSIZE')).toMatchObject({
      startTls: false,
      pipelining: false,
      size: true,
      sizeMax: null,
    })
    expect(readCapabilities('x\nSIZE 0').sizeMax).toBeNull()
    expect(readCapabilities('x\nSIZE many').sizeMax).toBeNull()
  })
})
