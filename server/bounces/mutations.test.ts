import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBounce } from './read-bounce.ts'
import type { BounceReading } from './reading.ts'
import { ORDINARY, SAMPLES } from './samples/expected.ts'

const sample = (file: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', `${file}.eml`))
const judgement = ({ kind, recipient, status, cause }: BounceReading) => ({ kind, recipient, status, cause })

/** The same mail, as other servers on its way would have written it. */
async function expectTheSame(mutate: (raw: Buffer) => Buffer): Promise<void> {
  for (const [file, , , kind, recipient, status, cause] of SAMPLES)
    expect(judgement(await readBounce(mutate(sample(file)))), file).toEqual({
      kind,
      recipient,
      status,
      cause,
    })
  for (const { file } of ORDINARY) expect((await readBounce(mutate(sample(file)))).kind, file).toBe('none')
}

const asText = (mutate: (text: string) => string) => (raw: Buffer) =>
  Buffer.from(mutate(raw.toString('latin1')), 'latin1')
const splitHead = (text: string): [string[], string] => {
  const end = text.indexOf('\n\n')
  return [text.slice(0, end).split(/\n(?![ \t])/), text.slice(end)]
}
const inBase64 = (body: Buffer): string => body.toString('base64').replace(/.{76}/g, '$&\n')

/** Each part of a report in Base64: RFC 2045 has the lines of a coded text end like those of a mail. */
function inCodedParts(text: string): string {
  const boundary = /boundary="?([^"\n]+)/.exec(text)?.[1]
  if (boundary === undefined) return text
  const [head = '', ...parts] = text.split(`--${boundary}`)
  const coded = parts.map((part) => {
    const [headers, body] = splitHead(part)
    const isPlain = !/content-transfer-encoding/i.test(headers.join()) && part.includes('\n\n')
    if (!isPlain || !/^\n?content-type: *(message|text)\//im.test(headers.join('\n'))) return part
    const content = Buffer.from(body.slice(2).replaceAll('\n', '\r\n'), 'latin1')
    return `${headers.join('\n')}\nContent-Transfer-Encoding: base64\n\n${inBase64(content)}\n`
  })
  return [head, ...coded].join(`--${boundary}`)
}

describe('the same bounce, written differently', () => {
  it('is read the same with any line ends', { tags: 'thorough' }, async () => {
    await expectTheSame(asText((text) => text.replaceAll('\n', '\r\n')))
    await expectTheSame(asText((text) => text.replaceAll('\n', '\r')))
  })

  it('is read the same with its headers in another order, and many more of them', async () => {
    await expectTheSame(
      asText((text) => {
        const [headers, body] = splitHead(text)
        // Lines that were folded without a blank belong to the line before them.
        if (headers.some((line) => !/^[\w-]+:/.test(line))) return text
        const received = Array.from(
          { length: 40 },
          (_, n) => `Received: from h${n}.example.net by g${n}.example.net`,
        )
        return [...received, ...headers.reverse()].join('\n') + body
      }),
    )
  })

  it('is read the same with header names in capitals', async () => {
    await expectTheSame(
      asText((text) => {
        const [headers, body] = splitHead(text)
        return (
          headers.map((line) => line.replace(/^[\w-]+(?=:)/, (name) => name.toUpperCase())).join('\n') + body
        )
      }),
    )
  })

  it('is read the same out of a mailbox file', async () => {
    await expectTheSame(asText((text) => `From MAILER-DAEMON Sat Aug  1 09:05:00 2026\n${text}`))
  })

  it('is read the same with each of its parts in base64', async () => {
    await expectTheSame(asText(inCodedParts))
    const changed = SAMPLES.filter(([file]) => {
      const text = sample(file).toString('latin1')
      return inCodedParts(text) !== text
    })
    expect(changed.length).toBeGreaterThan(20)
  })

  it.each([
    ['base64', inBase64],
    [
      'quoted-printable',
      (body: Buffer) =>
        body
          .toString('latin1')
          .replace(
            /[^\n -<>-~]/g,
            (sign) => `=${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
          )
          .replace(/=(?![0-9A-F]{2})/g, '=3D')
          .replace(/[^\n]{70}(?=[^\n])/g, (line) => (/=.?$/.test(line) ? line : `${line}=\n`)),
    ],
  ])('is read the same in %s', async (encoding, encode) => {
    for (const [file, , , kind, recipient, status, cause] of SAMPLES) {
      const text = sample(file).toString('latin1')
      const [headers, body] = splitHead(text)
      if (!/^Content-Transfer-Encoding: [78]bit$/m.test(headers.join('\n'))) continue
      const head = headers.join('\n').replace(/^(Content-Transfer-Encoding: ).*$/m, `$1${encoding}`)
      const mail = `${head}\n\n${encode(Buffer.from(body.slice(2), 'latin1'))}\n`
      expect(judgement(await readBounce(Buffer.from(mail, 'latin1'))), file).toEqual({
        kind,
        recipient,
        status,
        cause,
      })
    }
  })

  it('is never mistaken for another address or a complaint when it is cut off anywhere', async () => {
    for (const [file, , , kind, recipient] of SAMPLES) {
      const raw = sample(file)
      for (let length = 0; length < raw.length; length += 200) {
        const reading = await readBounce(raw.subarray(0, length))
        expect(['none', 'hard', 'soft', kind], `${file} at ${length}`).toContain(reading.kind)
        // The last address may be cut in two; every address before it is one of the sample's.
        if (reading.recipient && recipient && reading.kind !== 'none')
          expect(
            recipient === reading.recipient || raw.includes(reading.recipient),
            `${file} at ${length}`,
          ).toBe(true)
      }
    }
  })

  it('makes no bounce of ordinary mail that is cut off', async () => {
    for (const { file } of ORDINARY) {
      const raw = sample(file)
      for (let length = 0; length < raw.length; length += 100)
        expect((await readBounce(raw.subarray(0, length))).kind, `${file} at ${length}`).toBe('none')
    }
  })
})
