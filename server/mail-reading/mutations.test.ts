import { afterAll, describe, expect, it } from 'vitest'
import { demandsOf } from '../test/faults/demands.ts'
import { sized } from '../test/faults/size.ts'
import { createMailReader } from './mail-reader.ts'
import { harmIn } from './samples/harmless.ts'
import { LETTERS, PAGES, page } from './samples/letters.ts'

const MUTATIONS = sized({ ci: 1_000, full: 10_000 })
/** Of what is broken by chance, this part still shows something to read. */
const READABLE = 0.995

/** What companies put under every mail: it leaves something to read after a part was lost. */
const DISCLAIMER = `<p>${'This message is meant for the one whom it names, and for nobody else. '.repeat(40)}</p>`
const LONG_LETTERS = [
  ...Object.values(LETTERS).filter((raw) => raw.length > 1_000),
  ...Object.values(PAGES).map((html) => page(html + DISCLAIMER)),
]

/** The same numbers on every machine, so that what fails can be repeated. */
function createChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Chance = (below: number) => number
const latePlace = (raw: Buffer, chance: Chance): number => raw.length * (0.6 + chance(40) / 100)
const joined = (...pieces: Uint8Array[]): Buffer => Buffer.concat(pieces)

/** What happens to mails on their way, in broken programs, and in the hands of somebody who means harm. */
const DAMAGES: ((raw: Buffer, chance: Chance, other: Buffer) => Buffer)[] = [
  // Not in its headers: then there is nothing to read.
  (raw, chance) => raw.subarray(0, latePlace(raw, chance)),
  (raw, chance) => {
    const bytes = Buffer.from(raw)
    for (let n = 0; n < 10; n += 1) bytes[chance(bytes.length)] = chance(256)
    return bytes
  },
  (raw, chance) => {
    const at = chance(raw.length)
    return joined(raw.subarray(0, at), raw.subarray(at + chance(200)))
  },
  (raw, chance) => {
    const [from, to] = [chance(raw.length), chance(raw.length)].sort((a, b) => a - b) as [number, number]
    return joined(raw.subarray(0, to), raw.subarray(from))
  },
  (raw, chance, other) =>
    joined(raw.subarray(0, latePlace(raw, chance)), other.subarray(latePlace(other, chance))),
  (raw, chance) => {
    const ends = ['\n', '\r', '\n\r', '\r\r\n', '\n\n']
    return Buffer.from(raw.toString('latin1').replaceAll('\r\n', ends[chance(ends.length)] ?? '\n'), 'latin1')
  },
  (raw, chance) => {
    const lines = raw.toString('latin1').split('\r\n')
    for (let n = 0; n < 3; n += 1) lines.splice(chance(lines.length), 1)
    return Buffer.from(lines.join('\r\n'), 'latin1')
  },
  (raw, chance) => {
    const tricks = [
      '\0',
      '=?utf-8?b?',
      '<',
      '>',
      '"',
      '--',
      '\u00ff\u00fe',
      '\r\n\r\n',
      ': ',
      '<svg><style>',
      '__proto__',
      '&#x',
      '\x1b$B',
      '(((',
      ';;;',
    ]
    const at = chance(raw.length)
    return joined(
      raw.subarray(0, at),
      Buffer.from(tricks[chance(tricks.length)] ?? '', 'latin1'),
      raw.subarray(at),
    )
  },
  (raw, chance) => {
    const charsets = ['utf-16', 'utf-7', 'x-unknown', 'iso-2022-jp', 'big5', '', 'utf-8', 'windows-1251']
    const encodings = ['base64', 'quoted-printable', '8bit', 'x-uuencode', 'binary', 'gzip']
    return Buffer.from(
      raw
        .toString('latin1')
        .replace(/charset="?[\w-]+"?/i, `charset=${charsets[chance(charsets.length)]}`)
        .replace(/(Transfer-Encoding: )[\w-]+/i, `$1${encodings[chance(encodings.length)]}`),
      'latin1',
    )
  },
]

describe('R25 a mail that was damaged', () => {
  // It is not the time that is looked at, and a machine may stand still for longer than a mail may take.
  const reader = createMailReader({ limits: { timeMs: 30_000 } })
  afterAll(() => reader.close())

  it(`never breaks the reader, and is nearly always readable (${MUTATIONS} times)`, async () => {
    const chance = createChance(20_260_501)
    const damaged = Array.from({ length: MUTATIONS }, (_, n) => {
      const raw = LONG_LETTERS[n % LONG_LETTERS.length] ?? Buffer.alloc(0)
      const other = LONG_LETTERS[chance(LONG_LETTERS.length)] ?? raw
      const once = DAMAGES[n % DAMAGES.length]?.(raw, chance, other) ?? raw
      return n % 3 === 0 ? (DAMAGES[chance(DAMAGES.length)]?.(once, chance, other) ?? once) : once
    })
    const mails = await Promise.all(damaged.map((raw) => reader.read(raw, 'ann@example.com')))
    for (const [n, mail] of mails.entries()) {
      if (n % 8 === 0) expect(harmIn(mail?.html ?? ''), `number ${n}`).toEqual([])
      expect(JSON.stringify(mail), `number ${n}`).not.toMatch(/\\u0000|\\ud[89a-f]/)
    }
    const demands = demandsOf('R25')
    demands.exactly('damaged mails that broke the reader', 0, mails.filter((mail) => mail === null).length)
    const readable = mails.filter((mail) => mail?.text || mail?.html).length
    demands.atLeast('damaged mails that show something', READABLE * 100, (readable / MUTATIONS) * 100, '%')
    demands.hold()
  })
})
