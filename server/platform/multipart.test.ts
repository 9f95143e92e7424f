import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { type FormField, multipartBody, multipartType, urlEncodedBody } from '../test/form-body.ts'
import { type FormPart, readMultipart } from './multipart.ts'
import { readUrlEncoded } from './url-encoded.ts'

const MB = 1_000_000
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

const named = (parts: FormPart[] | null): Record<string, string> =>
  Object.fromEntries((parts ?? []).map((part) => [part.name, part.start(1_000_000_000).toString('latin1')]))

const read = (fields: FormField[]) => readMultipart(multipartType(), multipartBody(fields))

describe('a multipart form', () => {
  it('gives back every byte of every part', async () => {
    const contents = [
      Buffer.alloc(0),
      ALL_BYTES,
      Buffer.from('\r\n'),
      Buffer.from('\r\n--xYzZ\r\n--'),
      Buffer.from('--'),
      randomBytes(100_000),
    ]
    const parts = read(contents.map((content, index) => ({ name: `part${index}`, content })))
    expect(await Promise.all((parts ?? []).map((part) => part.content()))).toEqual(contents)
  })

  it('is read as it is written elsewhere: by fetch, with a preamble, with blanks, with an end in the air', async () => {
    const form = new FormData()
    form.set('a "b"', 'ä')
    form.set('file', new File([ALL_BYTES], 'ä "x".bin', { type: 'Application/X-Any; a=b' }))
    const posted = new Response(form)
    const parts = readMultipart(
      posted.headers.get('content-type') ?? '',
      Buffer.from(await posted.arrayBuffer()),
    )
    expect(parts).toMatchObject([
      { name: 'a "b"', filename: null, type: null },
      { name: 'file', filename: 'ä "x".bin', type: 'application/x-any' },
    ])
    expect(await parts?.[1]?.content()).toEqual(ALL_BYTES)

    const odd =
      'nobody reads this\r\n--x \t\r\ncontent-disposition:form-data ;name=a\r\n\r\n1\r\n--x-- \r\nnor this'
    expect(named(readMultipart('Multipart/Form-Data; charset=x; Boundary="x"', Buffer.from(odd)))).toEqual({
      a: '1',
    })
  })

  it('reads names of files in each of the ways that are in use', () => {
    const nameIn = (rest: string) =>
      readMultipart(
        multipartType('x'),
        Buffer.from(`--x\r\nContent-Disposition: form-data; name="a"${rest}\r\n\r\n\r\n--x--`),
      )?.[0]?.filename
    expect(nameIn('; filename="a\\"b\\\\.txt"')).toBe('a"b\\.txt')
    expect(nameIn('; filename="a%22b.txt"')).toBe('a"b.txt')
    expect(nameIn('; filename="x"; filename*=UTF-8\'\'%C3%A4.txt')).toBe('ä.txt')
    expect(nameIn("; filename*=UTF-8''%FF")).toBeNull()
    expect(nameIn('; filename=plain.txt')).toBe('plain.txt')
    expect(nameIn('')).toBeNull()
  })

  it.each([
    ['no type', '', multipartBody([])],
    ['another type', 'application/json; boundary=x', Buffer.from('--x--')],
    ['no boundary', 'multipart/form-data', Buffer.from('----')],
    ['an empty boundary', 'multipart/form-data; boundary=""', Buffer.from('----')],
    ['a boundary that is too long', multipartType('x'.repeat(71)), Buffer.from(`--${'x'.repeat(71)}--`)],
    ['a boundary with a line break', 'multipart/form-data; boundary="a\r\nb"', Buffer.from('--a\r\nb--')],
    ['no bytes', multipartType('x'), Buffer.alloc(0)],
    ['no end', multipartType('x'), multipartBody([{ name: 'a', content: '1' }], 'x').subarray(0, -8)],
    ['another boundary', multipartType('y'), multipartBody([{ name: 'a', content: '1' }], 'x')],
    ['a part without lines above it', multipartType('x'), Buffer.from('--x\r\n1\r\n--x--')],
    ['an empty part', multipartType('x'), Buffer.from('--x\r\n--x--')],
    [
      'a part without a name',
      multipartType('x'),
      Buffer.from('--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\n1\r\n--x--'),
    ],
    [
      'a part with two names',
      multipartType('x'),
      Buffer.from(
        '--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"\r\n\r\n1\r\n--x--',
      ),
    ],
    [
      'endless lines above a part',
      multipartType('x'),
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="a"\r\nX: ${'x'.repeat(10_000)}\r\n\r\n1\r\n--x--`,
      ),
    ],
  ])('with %s is none', (_, type, body) => {
    expect(readMultipart(type, body)).toBeNull()
  })

  it('may have a thousand parts, and no more', () => {
    const fields = (count: number) => Array.from({ length: count }, () => ({ name: 'a', content: '1' }))
    expect(read(fields(1_000))).toHaveLength(1_000)
    expect(read(fields(1_001))).toBeNull()
    expect(read(fields(5_000))).toBeNull()
  })

  it.each([
    ['nearly the boundary, over and over', '\r\n--xYzZYx'],
    ['the boundary without its line', '--xYzZY'],
    ['dashes', '-'],
    ['line breaks', '\r\n'],
    ['parts that never begin', '\r\n--xYzZY\r\n'],
  ])('of ten megabytes of %s takes no time', async (_, piece) => {
    const body = Buffer.alloc(10 * MB, piece)
    await expectBelow(500, () => computingTime(() => expect(readMultipart(multipartType(), body)).toBeNull()))
  })
})

describe('a form in the address’ own manner', () => {
  it('gives back every byte', async () => {
    const fields = [
      { name: 'a b', content: ALL_BYTES },
      { name: 'empty', content: '' },
      { name: 'ä', content: 'x=y&z' },
    ]
    const parts = readUrlEncoded(urlEncodedBody(fields))
    expect(parts?.map(({ name }) => name)).toEqual(['a b', 'empty', 'ä'])
    expect(await Promise.all((parts ?? []).map((part) => part.content()))).toEqual([
      ALL_BYTES,
      Buffer.alloc(0),
      Buffer.from('x=y&z'),
    ])
  })

  it('is the same whether it is decoded at once or in turns', async () => {
    // Of three and of one byte each, so that the turns end within a coded one.
    const content = Buffer.alloc(2 * MB, 'x\xe4y z%', 'latin1')
    const [part] = readUrlEncoded(urlEncodedBody([{ name: 'a', content }])) ?? []
    expect((await part?.content())?.equals(content)).toBe(true)
    expect(part?.start(2 * MB).equals(content)).toBe(true)
    expect(part?.start(5)).toEqual(content.subarray(0, 5))
  })

  it('is read as far as it can be', () => {
    expect(named(readUrlEncoded(Buffer.from('&&a=%zz%4&b&=c&d=%41+%e4%')))).toEqual({
      a: '%zz%4',
      '': 'c',
      d: 'A \xe4%',
    })
    expect(readUrlEncoded(Buffer.alloc(0))).toEqual([])
    expect(readUrlEncoded(Buffer.from('a=1&'.repeat(1_001)))).toBeNull()
  })

  it('of ten megabytes is read in a moment', async () => {
    const body = Buffer.concat([Buffer.from('a='), Buffer.alloc(9 * MB, '%0D%0A')])
    const read = async () => {
      expect(await readUrlEncoded(body)?.[0]?.content()).toHaveLength(3 * MB)
      expect(readUrlEncoded(Buffer.alloc(10 * MB, '&'))).toBeNull()
    }
    await expectBelow(1_000, () => computingTime(read))
  })
})
