import { describe, expect, it } from 'vitest'
import { readPlainly } from './read-plainly.ts'
import type { ReadMail } from './reading.ts'
import * as letters from './samples/letters.ts'

/** Headers are read the same way whether the rest of a mail can be read or not. */
const read = (raw: Buffer | string, envelopeFrom = 'ann@example.com'): ReadMail =>
  readPlainly(Buffer.from(raw), envelopeFrom)
const withHeaders = (...headers: string[]): ReadMail => read(`${headers.join('\r\n')}\r\n\r\nhello\r\n`)

describe('the headers of a mail', () => {
  it('are read as people read them', () => {
    expect(read(letters.GMAIL_THREAD)).toMatchObject({
      messageId: '<CAF1@mail.example>',
      answeredIds: ['<a@x.test>', '<b@x.test>', '<c@x.test>'],
      from: { name: 'Jörg Müller', address: 'joerg@mail.example' },
      answersTo: 'joerg@mail.example',
      to: ['ann@x.test', 'bob@corp.example'],
      cc: ['carl@x.test'],
      subject: 'Re: Picnic',
      sentAt: new Date('2026-05-07T16:30:00Z'),
      automatic: 'no',
    })
  })

  it.each([
    ['Reply-To where it is exactly one', ['From: a@x.test', 'Reply-To: Bob <b@x.test>'], 'b@x.test'],
    [
      'Reply-To where its name has a comma',
      ['From: a@x.test', 'Reply-To: Acme, Inc. <b@x.test>'],
      'b@x.test',
    ],
    [
      'Reply-To that says the same twice',
      ['From: a@x.test', 'Reply-To: b@x.test, Bob <b@x.test>'],
      'b@x.test',
    ],
    ['From where Reply-To is several', ['From: a@x.test', 'Reply-To: b@x.test, c@x.test'], 'a@x.test'],
    [
      'From where there are two Reply-To',
      ['From: a@x.test', 'Reply-To: b@x.test', 'Reply-To: c@x.test'],
      'a@x.test',
    ],
    [
      'From where Reply-To is a group of many',
      ['From: a@x.test', 'Reply-To: all: b@x.test, c@x.test;'],
      'a@x.test',
    ],
    ['From where Reply-To is no mailbox', ['From: a@x.test', 'Reply-To: "b@x.test"@y.test'], 'a@x.test'],
    ['nobody where From is no mailbox', ['From: MAILER-DAEMON'], ''],
    ['nobody where there is a line break in the address', ['From: =?utf-8?q?=0D=0ABcc:_x@y.test?='], ''],
    ['the address, not one in its name', ['From: "boss@bank.example" <eve@evil.test>'], 'eve@evil.test'],
    [
      'the address, not one in an encoded word',
      [`From: =?utf-8?b?${btoa('Boss <boss@bank.example>')}?=`],
      '',
    ],
    [
      'the address as it is on the wire where it looks like another',
      ['From: <a@pаypal.com>'],
      'a@xn--pypal-4ve.com',
    ],
    ['the address as its owner writes it', ['From: <a@почта.рф>'], 'a@почта.рф'],
    ['the address without what nobody sees', ['From: <a\u200bnn\u202e@x.test>'], 'ann@x.test'],
  ])('say whom an answer goes to: %s', (_name, headers, address) => {
    expect(withHeaders(...headers).answersTo).toBe(address)
  })

  it.each([
    ['Doe, Jane <jane@x.test>', 'Doe, Jane'],
    ['Acme, Inc. <jane@x.test>', 'Acme, Inc.'],
    ['=?utf-8?Q?M=C3=BCller,_Jane?= <jane@x.test>', 'Müller, Jane'],
    ['Doe, Jane, Dr. <jane@x.test>, Bob <bob@x.test>', 'Doe, Jane, Dr.'],
    ['Doe, <jane@x.test>', 'Doe'],
    [`${'n'.repeat(150)}, ${'m'.repeat(150)} <jane@x.test>`, `${'n'.repeat(150)}, ${'m'.repeat(48)}`],
  ])('keep a sender answerable whose name has a comma: %s', (from, name) => {
    expect(withHeaders(`From: ${from}`)).toMatchObject({
      from: { name, address: 'jane@x.test' },
      answersTo: 'jane@x.test',
    })
  })

  it('give a sender without an address none of anybody else', () => {
    expect(withHeaders('From: MAILER-DAEMON', 'Sender: a@x.test').from).toEqual({
      name: 'MAILER-DAEMON',
      address: '',
    })
  })

  it('are one line each, without what cannot be seen', () => {
    const mail = withHeaders(
      'From: "Pay\u200bPal\u202e \u2066Support\u00ad" <eve@evil.test>',
      'Subject: =?utf-8?q?one=0D=0ABcc:_x=00=E2=80=AE=E2=80=8Btwo?=',
      'To: "a\u0000b" <x\u200by@z.test>',
    )
    expect(mail.from.name).toBe('PayPal Support')
    expect(mail.subject).toBe('one Bcc: x two')
    expect(mail.to).toEqual(['xy@z.test'])
  })

  it('keep what emoji and joining scripts need', () => {
    expect(withHeaders('Subject: 👩‍👩‍👧 ❤️ می‌خواهم').subject).toBe('👩‍👩‍👧 ❤️ می‌خواهم')
  })

  it('are cut at whole characters', () => {
    const { subject, from } = withHeaders(
      `Subject: ${'🌷'.repeat(600)}`,
      `From: ${'n'.repeat(900)} <a@x.test>`,
    )
    expect(subject).toBe('🌷'.repeat(250))
    expect(from.name).toHaveLength(200)
  })

  it('name the mails that are answered, the nearest last and none twice', () => {
    const { answeredIds, messageId } = withHeaders(
      'Message-ID: bare-id@x.test',
      'References: <a@x> <b@x> junk <c@x> <\u00e4@x>',
      'In-Reply-To: Your message of "Monday" <b@x>',
    )
    expect(messageId).toBe('<bare-id@x.test>')
    expect(answeredIds).toEqual(['<a@x>', '<c@x>', '<b@x>'])
    const many = Array.from({ length: 300 }, (_, n) => `<${n}@x>`)
    expect(withHeaders(`References: ${many.join('\r\n ')}`).answeredIds).toEqual(many.slice(-50))
  })

  it('stand in for a missing From with who handed the mail in', () => {
    expect(read('Subject: x\n\nhello', 'ann@example.com').from).toEqual({
      name: '',
      address: 'ann@example.com',
    })
  })

  it.each([
    ['Fri, 1 May 2026 10:00:00 +0200', '2026-05-01T08:00:00.000Z'],
    ['1 May 26 10:00 EST', '2026-05-01T15:00:00.000Z'],
    ['Fri,  1 May 2026 10:00:00 GMT (comment)', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
    ['Fri, 1 May 2026 10:00:00', '2026-05-01T10:00:00.000Z'],
    ['yesterday', undefined],
    ['Fri, 1 May 9999 10:00:00 +0000', undefined],
    ['1 Xyz 2026 10:00:00', undefined],
  ])('tell the date: %s', (date, expected) => {
    expect(withHeaders(`Date: ${date}`).sentAt?.toISOString()).toBe(expected)
  })
})

describe('a mail that a machine has written', () => {
  it.each([
    ['reply', ['Auto-Submitted: auto-replied']],
    ['reply', ['Precedence: auto_reply']],
    ['reply', ['X-Autoreply: yes']],
    ['reply', ['X-Autorespond: hello']],
    ['reply', ['From: MAILER-DAEMON@x.test']],
    ['reply', ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b']],
    ['reply', ['Subject: Out of office: Tea', 'Precedence: bulk']],
    ['reply', ['Subject: Abwesenheitsnotiz', 'X-Auto-Response-Suppress: DR, RN']],
    ['reply', ['Subject: Automatic reply: Tea', 'Auto-Submitted: auto-generated']],
    ['list', ['List-Id: <x.test>']],
    ['list', ['Auto-Submitted: auto-generated; owner=x']],
    ['list', ['X-Auto-Response-Suppress: All']],
    ['list', ['List-Unsubscribe: <https://x.test>', 'Auto-Submitted: auto-generated']],
    ['list', ['Precedence: bulk']],
    ['list', ['Precedence: junk']],
    ['no', ['Auto-Submitted: no']],
    ['no', ['X-Autoreply: no']],
    ['no', ['X-Auto-Response-Suppress: DR, RN']],
    ['no', ['Subject: Out of office: Tea']],
    ['no', ['Subject: Re: Automatic reply: Tea']],
    ['no', ['Precedence: first-class']],
  ])('is recognised: %s by %s', (kind, headers) => {
    expect(withHeaders(...headers, 'From: a@x.test').automatic).toBe(kind)
  })

  it('is recognised by its empty envelope', () => {
    for (const nobody of ['', '<>', ' <> '])
      expect(read('Subject: x\n\nhello', nobody).automatic).toBe('reply')
  })
})
