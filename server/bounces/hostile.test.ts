import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { readBounce } from './read-bounce.ts'

/** S9: a mail is read in the process that also sends; the budget of one is 200 ms on a slow machine. */
const BUDGET_MS = 200
/** Of as much as is read of one that came to a return path; who sends such mails can send many. */
const REPORT_BUDGET_MS = 50
const REPORT_BYTES = 500_000

const DAEMON = 'Return-Path: <>\nFrom: MAILER-DAEMON@x.test\nTo: me@x.test\nSubject: failure notice\n'
const REPORT = `${DAEMON}Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n`
const MB = 1_000_000
const of = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

const HOSTILE: [string, string][] = [
  ['one line of 1 MB', `${DAEMON}\n${of('a', MB)}`],
  ['one line of 1 MB of blanks', `${DAEMON}\n${of(' ', MB)}x`],
  [
    'one line of 1 MB of tabs in quoted-printable',
    `${DAEMON}Content-Transfer-Encoding: quoted-printable\n\n${of('\t', MB)}x`,
  ],
  ['1 MB of @', `${DAEMON}\n${of('@', MB)}`],
  ['1 MB of <', `${DAEMON}\n${of('<', MB)}`],
  ['1 MB of addresses on one line', `${DAEMON}\n${of('a@b.test ', MB)}`],
  ['1 MB of addresses on lines of their own', `${DAEMON}\n${of('<a@b.test>:\n', MB)}`],
  [
    '1 MB of different addresses',
    `${DAEMON}\n${Array.from({ length: 60_000 }, (_, n) => `<u${n}@b.test>: 550 no`).join('\n')}`,
  ],
  ['1 MB of codes', `${DAEMON}\n<a@b.test>:\n${of('550 5.1.0 ', MB)}`],
  ['1 MB of half a code', `${DAEMON}\n<a@b.test>:\n${of('5.1.', MB)}`],
  ['1 MB of colons', `${DAEMON}\n${of(':', MB)}`],
  ['1 MB of dashes', `${DAEMON}\n${of('-', MB)}`],
  ['a To of 1 MB', `To: ${of('a@b.test, ', MB)}\n${DAEMON}\nx`],
  ['nested groups in To', `To: ${of('a:', MB)}\n${DAEMON}\nx`],
  [
    'a subject of 1 MB of encoded words',
    `Subject: ${of('=?utf-8?b?YWJj?= ', MB)}\nFrom: MAILER-DAEMON@x.test\n\nx`,
  ],
  ['100,000 headers', `${of('X-A: b\n', 700_000)}${DAEMON}\nx`],
  [
    'a header called __proto__',
    `__proto__: x\nconstructor: y\n${DAEMON}__proto__[kind]: hard\n\n<a@b.test>: 550 user unknown`,
  ],
  ['a header folded 100,000 times', `X-A: b\n${of(' c\n', 300_000)}${DAEMON}\nx`],
  ['10,000 parts', `${REPORT}${of('--b\nContent-Type: text/plain\n\nhello\n', 350_000)}`],
  [
    '10,000 report parts',
    `${REPORT}${of('--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.test\nStatus: 5.1.1\n\n', MB)}`,
  ],
  [
    'multiparts nested 5,000 deep',
    `${DAEMON}${Array.from({ length: 5_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join('')}`,
  ],
  [
    'mails nested 2,000 deep',
    `${DAEMON}${of('Content-Type: message/rfc822\n\nFrom: MAILER-DAEMON@x.test\n', 100_000)}`,
  ],
  ['a boundary that every line begins with', `${REPORT}${of('--bb\n', MB)}`],
  ['a content type of 1 MB', `${DAEMON}Content-Type: multipart/report${of('; a="b', MB)}\n\nx`],
  [
    'a report of 20,000 recipients',
    `${REPORT}--b\nContent-Type: message/delivery-status\n\n${Array.from({ length: 20_000 }, (_, n) => `Final-Recipient: rfc822; u${n}@b.test\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 sorry ${n}\n`).join('\n')}`,
  ],
  [
    'a report field folded 100,000 times',
    `${REPORT}--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.test\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550\n${of(' x\n', MB)}`,
  ],
  [
    'a notice that goes on like the subject of the returned mail',
    `${REPORT}--b\n\n<a@b.test>: 550 ${of('a ', MB)}\n${of(`${of('a ', 900)}\n`, MB)}\n--b\nContent-Type: message/rfc822\n\nTo: a@b.test\nSubject: ${of('a ', 290)}b\n\n--b--`,
  ],
  ['1 MB of tags', `${DAEMON}Content-Type: text/html\n\n${of('<style>', MB)}`],
  ['1 MB of open tags', `${DAEMON}Content-Type: text/html\n\n${of('<p ', MB)}`],
  ['1 MB of entities', `${DAEMON}Content-Type: text/html\n\n${of('&#64;&amp;', MB)}`],
  ['1 MB of base64 that is none', `${DAEMON}Content-Transfer-Encoding: base64\n\n${of('=', MB)}`],
  ['1 MB of escapes', `${DAEMON}Content-Type: text/plain; charset=iso-2022-jp\n\n${of('\x1b$B', MB)}`],
  ['1 MB of quotes', `${DAEMON}\n${of('"', MB)}@b.test`],
  ['1 MB of NUL', `${DAEMON}\n${of('\0', MB)}`],
  ['1 MB of line breaks', of('\n', MB)],
  [
    'a feedback report of 1 MB',
    `Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n${of('Original-Rcpt-To: <a@b.test>\n', MB)}`,
  ],
  [
    'words that almost end a phrase',
    `${DAEMON}\n<a@b.test>: ${of('user mailbox account recipient domain ', MB)}`,
  ],
]

const somebody = (n: number): string => `u${n}@b.test`
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

/** Four report parts, each of thirteen recipients, behind a notice that names them all. */
function reportOf(words: string, diagnostic: string): string {
  const notice = lines(52 * 9, (n) => `${n % 9 === 0 ? `<${somebody(n / 9)}>: ` : ''}${of(words, 440)}`)
  const fields = (n: number): string =>
    `Final-Recipient: rfc822; ${somebody(n)}\nStatus: 5.0.0\nDiagnostic-Code: smtp; ${diagnostic}\n`
  const parts = lines(
    4,
    (part) => `--b\nContent-Type: message/delivery-status\n\n${lines(13, (n) => fields(part * 13 + n))}`,
  )
  return `${REPORT}--b\n\n${notice}\n${parts}\n--b--`
}

const MEANINGLESS = 'r m a s d u n i b t c '
const NEARLY = 'recipient mailbox address account '
const folded = (words: string): string => of(`${of(words, 900)}\n `, 4_000)
const wrapped = (mail: string): string =>
  `${DAEMON}Content-Type: multipart/mixed; boundary=w\n\n--w\nContent-Type: message/rfc822\n\n${mail}\n--w--`

const HOSTILE_REPORTS: [string, string][] = [
  ['52 long answers in which no phrase is', reportOf(MEANINGLESS, folded(MEANINGLESS))],
  ['52 long answers of words that begin phrases', reportOf(NEARLY, folded(NEARLY))],
  ['52 recipients without an answer', reportOf(MEANINGLESS, '')],
  ['long lines of words that begin phrases', `${DAEMON}\n${lines(500, () => of(NEARLY, 990))}`],
  [
    'long lines that each name somebody',
    `${DAEMON}\n${lines(490, (n) => `<${somebody(n)}>: ${of(NEARLY, 990)}`)}`,
  ],
  [
    'long lines of desks behind their labels',
    `${DAEMON}\n${lines(490, () => of('address recipient delivery to abuse@b.cc ', 990))}`,
  ],
  ['long lines of desks', `${DAEMON}\n${lines(490, () => of('abuse@b.cc recipient ', 990))}`],
  [
    'fifty recipients on a line, and many lines about them',
    `${DAEMON}\n${lines(4, () => `${lines(50, somebody).replaceAll('\n', ' ')}\n${lines(9, () => of('was  : ', 990))}`)}`,
  ],
  [
    'many short lines about each recipient',
    `${DAEMON}\n${lines(200, (n) => `<${somebody(n % 50)}>:\n${of('r\n', 18)}`)}`,
  ],
  [
    'a notice within a notice within a notice',
    wrapped(wrapped(`${DAEMON}\n${lines(490, () => of('abuse@b.cc r m s d u n ', 990))}`)),
  ],
]

describe('a hostile mail', () => {
  it.each(HOSTILE)(`costs less than ${BUDGET_MS} ms: %s`, async (_name, text) => {
    const raw = Buffer.from(text, 'latin1')
    const reading = await readBounce(raw)
    await expectBelow(BUDGET_MS, () => computingTime(() => readBounce(raw)))
    expect(['hard', 'soft', 'complaint', 'none']).toContain(reading.kind)
    expect(Object.getPrototypeOf({})).not.toHaveProperty('kind')
  })

  it.each(HOSTILE_REPORTS)(
    `costs less than ${REPORT_BUDGET_MS} ms where it came to a return path: %s`,
    async (_name, text) => {
      const raw = Buffer.from(text, 'latin1').subarray(0, REPORT_BYTES)
      expect(['hard', 'soft', 'none']).toContain((await readBounce(raw)).kind)
      await expectBelow(REPORT_BUDGET_MS, () => computingTime(() => readBounce(raw)))
    },
  )

  it('of 100 MB is judged by its beginning and its report part', async () => {
    const report =
      '\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.test\nAction: failed\nStatus: 5.1.1\n\n--b--\n'
    const raw = Buffer.alloc(100 * MB, 'x')
    raw.write(`${REPORT}--b\nContent-Type: text/plain\n\nNot delivered.\n`, 'latin1')
    raw.write(report, 20 * MB, 'latin1')
    expect(await readBounce(raw)).toMatchObject({ kind: 'hard', recipient: 'a@b.test', status: '5.1.1' })
    await expectBelow(BUDGET_MS, () => computingTime(() => readBounce(raw)))
  })

  it('that is no mail at all is no bounce', async () => {
    for (const raw of [
      Buffer.alloc(0),
      Buffer.from('\0'),
      Buffer.from('hello'),
      Buffer.from([0xff, 0xfe, 0x00]),
    ])
      expect(await readBounce(raw)).toMatchObject({ kind: 'none', recipient: null })
    const noise = Buffer.from(Array.from({ length: 50_000 }, (_, n) => (n * n * 48_271 + n) % 251))
    expect((await readBounce(noise)).kind).toBe('none')
  })
})
