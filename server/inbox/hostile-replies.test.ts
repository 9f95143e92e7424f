import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { open } from '../test/inbox.ts'
import { bring, inboxAddress, received, reply, tryReply } from '../test/replies.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp({ INBOUND_SMTP_PORT: '2525' })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

/** A mail with these headers has come to somebody. */
async function aMail(headers: string, body = 'Hi\n') {
  const ann: SignedIn = await aUser(running)
  const to = await inboxAddress(ann.browser)
  await bring(port, { from: 'bob@x.test', to }, `${headers}\nTo: ${to}\n\n${body}`)
  const [message] = await received(ann.browser, 1)
  if (!message) throw new Error('no message')
  return { ann, message }
}

const NAMES = [
  ...['From', 'To', 'Reply-To', 'Subject', 'Message-ID', 'Date', 'In-Reply-To', 'References'],
  ...['MIME-Version', 'Content-Type'],
]

/** The only mail that the answer became: to whom, and its headers as they stand in the source. */
async function theReply(ann: SignedIn) {
  await running.settled()
  const { rows } = await sent(ann)
  expect(rows).toHaveLength(1)
  const [to = ''] = rows
  const mail = await running.mails.latest(to)
  const source = (await running.browser().get(`/local-mailbox/messages/${mail.id}/source`)).text
  const head = source.split('\r\n\r\n')[0] ?? ''
  const lines = head.replace(/\r\n[ \t]/g, ' ').split('\r\n')
  const names = lines.map((line) => line.split(':')[0] ?? '')
  expect(new Set(names).size).toBe(names.length)
  expect(NAMES).toEqual(expect.arrayContaining(names))
  expect(head).toMatch(/^[\x20-\x7e\r\n]*$/)
  expect(Math.max(...head.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998)
  return { to, mail, source }
}

const sent = async (ann: SignedIn) => {
  const found = await running.db
    .selectFrom('deliveries')
    .innerJoin('campaigns', 'campaigns.id', 'deliveries.campaign_id')
    .select('deliveries.address')
    .where('campaigns.user_id', '=', ann.userId)
    .execute()
  return { rows: found.map(({ address }) => address) }
}

const FROM = 'From: Bob <bob@x.test>'

it.each([
  ['several reply addresses', `${FROM}\nReply-To: eve@x.test, mallory@x.test`, 'bob@x.test'],
  ['a group', `${FROM}\nReply-To: Friends: eve@x.test, mallory@x.test;`, 'bob@x.test'],
  ['two Reply-To', `${FROM}\nReply-To: eve@x.test\nReply-To: mallory@x.test`, null],
  [
    'an encoded line break',
    `${FROM}\nReply-To: =?utf-8?Q?eve@x.test=0D=0ABcc:_all@x.test?= <carl@x.test>`,
    'carl@x.test',
  ],
  ['control characters', `${FROM}\nReply-To: e\x01ve\x7f@x.test`, null],
  ['somebody else’s address', `${FROM}\nReply-To: victim@other.test`, 'victim@other.test'],
  ['a folded header', `${FROM}\nReply-To: eve@x.test\n Bcc: all@x.test`, null],
  ['two authors', 'From: bob@x.test, eve@x.test', null],
])(
  'a mail with %s is answered to one mailbox at most, the one that is shown',
  async (_, headers, expected) => {
    const { ann, message } = await aMail(`${headers}\nSubject: Hi\nMessage-ID: <1@x.test>`)
    const shown = await open(ann.browser, message)
    if (expected !== null) expect(shown.answersTo).toBe(expected)
    const answer = await tryReply(ann.browser, message, 'Yes')
    if (shown.answersTo === null) {
      expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('nobody to answer') })
      expect((await sent(ann)).rows).toEqual([])
      return
    }
    expect(answer.status).toBe(200)
    expect((await theReply(ann)).to).toBe(shown.answersTo)
  },
)

it.each([
  ['an injected Message-ID', 'Message-ID: <a@x.test>\r Bcc: eve@x.test'],
  ['an encoded Message-ID', 'Message-ID: <=?utf-8?Q?a=0D=0ABcc:_eve@x.test?=@x.test>'],
  ['a template as Message-ID', 'Message-ID: <{{open}}%recipient.token%@x.test>'],
  ['an endless Message-ID', `Message-ID: <${'a'.repeat(5_000)}@x.test>`],
  ['endless references', `Message-ID: <a@x.test>\nReferences:${' <0123456789@x.test>\n'.repeat(3_000)}`],
  [
    'broken references',
    'Message-ID: <a@x.test>\nReferences: <a\0@x> <b@x\u0085> <<c@x>> d@x >e@x< <f@x>,<g@x>',
  ],
])('a mail with %s adds no header to its answer', async (_, headers) => {
  const { ann, message } = await aMail(`${FROM}\nSubject: Hi\n${headers}`)
  await reply(ann.browser, message, 'Yes')
  const { mail, source } = await theReply(ann)
  const ids = ['In-Reply-To', 'References'].flatMap((name) => mail.headers[name]?.split(' ') ?? [])
  expect(ids.length).toBeLessThanOrEqual(21)
  for (const id of ids) expect(id).toMatch(/^<(?!.*(=\?|\{\{))[!-;=?-~]{1,250}@[!-;=?-~]+>$/)
  expect(source).not.toMatch(/^bcc:/im)
})

it.each([
  ['huge', 'x'.repeat(50_000)],
  ['of many answers', 'Re: '.repeat(5_000)],
  ['with encoded line breaks', '=?utf-8?Q?a=0D=0ABcc:_eve@x.test=0A=C2=85=E2=80=A8b?='],
  ['that turns directions', '=?utf-8?B?4oCuZ25wLmV4ZQ==?='],
])('a subject that is %s becomes one line', async (_, subject) => {
  const folded = subject.replace(/.{900}/g, '$&\n ')
  const { ann, message } = await aMail(`${FROM}\nSubject: ${folded}\nMessage-ID: <1@x.test>`)
  await reply(ann.browser, message, 'Yes')
  const { mail } = await theReply(ann)
  expect(mail.subject.length).toBeLessThan(500)
  expect(mail.subject).toMatch(/^Re:(?! Re:)/)
  expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
})

it('a mail that came as HTML alone is quoted by its words', async () => {
  const { ann, message } = await aMail(
    `${FROM}\nSubject: Hi\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8`,
    '<p>First &lt;line&gt;</p><p>Second<br>third</p><script>alert(1)</script>\n',
  )
  await reply(ann.browser, message, 'Yes')
  expect((await theReply(ann)).mail.text).toContain('wrote:\n> First <line>\n>\n> Second\n> third\n')
})
