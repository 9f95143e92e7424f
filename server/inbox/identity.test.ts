import { describe, expect, it } from 'vitest'
import { unreadable } from '../providers/received.ts'
import { expectBelow, longestTurn } from '../test/computing.ts'
import { identify, identifyOnce } from './identity.ts'

const MAIL = `From: Bob <bob@example.com>
To: ann@in.example.test
Subject: Hello
Message-ID: <1@example.com>

How are you?

Bob
`
const of = async (raw: string): Promise<string> =>
  (await identify(Buffer.from(raw, 'latin1'))).identity.toString('hex')

describe('a mail is the same', () => {
  it.each([
    ['with other line ends', MAIL.replaceAll('\n', '\r\n')],
    ['with blank lines at its end', `${MAIL}\n\r\n\n`],
    ['without the end of its last line', MAIL.trimEnd()],
    [
      'with the lines of servers above it',
      `Return-Path: <bob@example.com>\r\nDelivered-To: ann@x.test\nReceived: from a.test\n\tby b.test; Sun, 1 Nov 2026\nARC-Seal: i=1;\n a=rsa\nAuthentication-Results: x\nX-SES-Spam-Verdict: PASS\nX-Mailgun-Incoming: Yes\n${MAIL}`,
    ],
  ])('%s', async (_what, raw) => {
    expect(await of(raw)).toBe(await of(MAIL))
  })
})

describe('a mail is another one', () => {
  it.each([
    ['by its text', MAIL.replace('How', 'Who')],
    ['by its subject', MAIL.replace('Hello', 'Goodbye')],
    ['by its sender', MAIL.replace('Bob <', 'Eve <')],
    ['by its recipient', MAIL.replace('To: ann', 'To: eve')],
    ['by its Message-ID', MAIL.replace('<1@', '<2@')],
    ['by a header that nobody knows', `X-Number: 7\n${MAIL}`],
    ['by how it is to be read', MAIL.replace('Subject', 'Content-Type: text/html\nSubject')],
  ])('%s', async (_what, raw) => {
    expect(await of(raw)).not.toBe(await of(MAIL))
  })

  it('also where it has no headers, no body or nothing at all', async () => {
    const mails = ['', '\n\n', 'x', 'y', 'x\n\ny', 'A: 1', 'A: 2', 'A: 1\n\n', '\n\nx', 'Received: a\n\nx']
    const found = await Promise.all(mails.map(of))
    // An empty mail is an empty mail, and a header is the same with nothing behind it.
    expect(new Set(found).size).toBe(mails.length - 3)
  })
})

it('finds the Message-ID, however it is folded', async () => {
  const found = async (raw: string): Promise<string> => (await identify(Buffer.from(raw))).messageId
  expect(await found(MAIL)).toBe('<1@example.com>')
  expect(await found('message-id:\r\n  <a@b>\r\n\r\nx')).toBe('<a@b>')
  expect(await found('Message-ID: nothing\r\n\r\n<a@b>')).toBe('')
})

it('a report that says neither when nor which it is counts again in another minute, as devices send them', async () => {
  const alarm = Buffer.from('From: door@example.com\nSubject: Alarm\n\nDoor open\n')
  const at = async (time: string) => (await identify(alarm, new Date(time))).identity.toString('hex')
  expect(await at('2026-11-15T10:00:50Z')).toBe(await at('2026-11-15T10:00:10Z'))
  expect(await at('2026-11-15T10:01:00Z')).not.toBe(await at('2026-11-15T10:00:10Z'))
})

it('a call that could not be read is one mail, whenever it comes again', async () => {
  const body = Buffer.from('no form at all')
  const at = async (time: string, bytes = body) =>
    (await identify(await unreadable('SendGrid', bytes), new Date(time))).identity.toString('hex')
  expect(await at('2026-11-01T10:00:59Z')).toBe(await at('2026-11-01T12:30:00Z'))
  expect(await at('2026-11-01T10:00:59Z')).not.toBe(await at('2026-11-01T10:00:59Z', Buffer.from('another')))
})

it('is found once for a mail that comes to many inboxes', async () => {
  const raw = Buffer.from(MAIL)
  expect(await identifyOnce(raw)).toEqual(await identify(raw))
  expect(await identifyOnce(raw)).toBe(await identifyOnce(raw))
  expect((await identifyOnce(Buffer.from(MAIL.replace('How', 'Who')))).identity.toString('hex')).toBe(
    await of(MAIL.replace('How', 'Who')),
  )
})

it.each([
  ['of short lines without a blank one', '\na'],
  ['of blank lines', '\n\r\r'],
])('keeps nobody waiting by a large mail %s', async (_what, piece) => {
  const raw = Buffer.from(piece.repeat(24_000_000 / piece.length))
  await expectBelow(40, () => longestTurn(() => identify(raw)))
})
