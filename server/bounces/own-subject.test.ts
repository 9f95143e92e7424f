import { expect, it } from 'vitest'
import { readBounce } from './read-bounce.ts'

const VAGUE = '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help.)'

type Notice = { subject: string; details: string; diagnostic?: string; status?: string; type?: string }

/** As Exchange Online writes it. */
const notice = ({ subject, details, diagnostic = VAGUE, status = '5.0.350', type = 'text/plain' }: Notice) =>
  Buffer.from(`Return-Path: <>
From: Microsoft Outlook <postmaster@example.com>
To: bounces+k7@news.example.test
Subject: Undeliverable: ${subject}
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: ${type}; charset=utf-8

Your message to ann.lee@example.com couldn't be delivered.

Original Message Details
Created Date: 8/1/2026 9:00:00 AM
Recipient Address: ann.lee@example.com
${details}

Error Details
Reported error: ${status}
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test

Final-Recipient: rfc822; ann.lee@example.com
Action: failed
Status: ${status}
Diagnostic-Code: smtp; ${diagnostic}

--b
Content-Type: message/rfc822

From: Garden Club <club@news.example.test>
To: ann.lee@example.com
Subject: ${subject}
Message-ID: <20260801.42@news.example.test>

Dear friends.
--b--
`)

const MOVED = 'Our office has moved to Berlin'

it.each<[string, Notice]>([
  ['Subject', { subject: MOVED, details: `Subject: ${MOVED}` }],
  ['a subject that is not the whole', { subject: MOVED, details: 'Subject: Our office has moved to Ber' }],
  ['Betreff', { subject: 'hello', details: `Betreff: ${MOVED}` }],
  ['Objet', { subject: 'hello', details: `  Objet : ${MOVED}` }],
  ['Тема', { subject: 'hello', details: `Тема: ${MOVED}` }],
  ['件名', { subject: 'hello', details: `件名：${MOVED}` }],
  ['主题', { subject: 'hello', details: `主题 ${MOVED}` }],
  ['another name', { subject: MOVED, details: `Mail title: ${MOVED}` }],
  ['two lines', { subject: MOVED, details: 'Mail title: Our office HAS\n    moved to Berlin' }],
  [
    'a coded subject',
    { subject: '=?utf-8?Q?B=C3=BCro_has_moved_to_Berlin?=', details: 'About: Büro has moved to Berlin' },
  ],
  [
    'a table',
    {
      subject: 'hello',
      type: 'text/html',
      details: `<table><tr><td>Subject:</td><td>${MOVED}</td></tr></table>`,
    },
  ],
  [
    'the answer of the server',
    { subject: MOVED, details: '', diagnostic: `554 The mail with the subject (${MOVED}) looks bad` },
  ],
])('a bounce is never hard by the words of our own subject, given by %s', async (_name, told) => {
  expect(await readBounce(notice(told))).toMatchObject({ kind: 'soft', recipient: 'ann.lee@example.com' })
})

it('a bounce is never a mere delay by the words of our own subject', async () => {
  const subject = 'Your order has been delayed'
  const raw = `Return-Path: <>
From: System Administrator <postmaster@example.com>
To: bounces+k7@news.example.test
Subject: Undeliverable: ${subject}
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Your message did not reach some or all of the intended recipients.

      Subject:  ${subject}

The following recipient(s) could not be reached:

      ann.lee@example.com on 8/1/2026 9:00 AM
            The e-mail account does not exist at the organization this message was sent to.
            <mx.example.test #5.1.1>
--b
Content-Type: message/rfc822

From: Garden Club <club@news.example.test>
To: ann.lee@example.com
Subject: ${subject}

Dear friends.
--b--
`
  expect(await readBounce(Buffer.from(raw))).toMatchObject({ kind: 'hard', action: 'failed' })
})

it('what the notice itself says counts, though the subject has a word of it', async () => {
  for (const subject of ['user', 'moved', 'Our summer programme'])
    expect(
      await readBounce(notice({ subject, details: 'The user has moved to another company.' })),
      subject,
    ).toMatchObject({ kind: 'hard', cause: 'moved' })
})
