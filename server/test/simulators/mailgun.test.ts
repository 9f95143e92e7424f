import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMailgun } from '../../providers/mailgun.ts'
import { closedAfterEach } from '../closing.ts'
import { aCopy, aLetter, UNSTOPPED } from './a-mail.ts'
import { type MailgunSimulator, type MailgunSimulatorOptions, startMailgunSimulator } from './mailgun.ts'
import { sdk, TWO_MAILS } from './mailgun-sdk.ts'

const opened = closedAfterEach()
const aMailgun = async (options: MailgunSimulatorOptions = {}): Promise<MailgunSimulator> =>
  opened(await startMailgunSimulator({ domains: ['mg.x.tld'], ...options }))

describe('the simulator of Mailgun, driven by its official SDK', () => {
  it('takes a mail and fills in what is each recipient’s own', async () => {
    const mailgun = await aMailgun()
    const answer = await sdk(mailgun).messages.create('mg.x.tld', TWO_MAILS)
    expect(answer).toMatchObject({ status: 200, message: 'Queued. Thank you.' })
    expect(answer.id).toBe(`<${mailgun.ledger[0]?.id}>`)
    expect(
      mailgun.ledger.map(({ recipient, mail }) => [recipient, mail.to, mail.variables, mail.headers]),
    ).toEqual([
      ['ann@x.test', ['ann@x.test'], { mid: 'm1' }, { 'Reply-To': 'desk@x.test', 'X-Own': 'one' }],
      ['bob@x.test', ['bob@x.test'], { mid: 'm2' }, { 'Reply-To': 'desk@x.test', 'X-Own': 'two' }],
    ])
  })

  it('is sent the same fields by our client as by the SDK', async () => {
    const mailgun = await aMailgun()
    await sdk(mailgun).messages.create('mg.x.tld', TWO_MAILS)
    await createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url }).send(
      aLetter({
        from: { name: 'Postrider', address: 'mail@mg.x.tld' },
        replyTo: 'desk@x.test',
        subject: 'Hello',
        text: 'Hello\n',
        html: '<p>Hello</p>',
        headers: {},
      }),
      [
        aCopy({ to: 'ann@x.test', messageId: '<m1@x>', headers: { 'X-Own': 'one' } }),
        aCopy({ to: 'bob@x.test', messageId: '<m2@x>', headers: { 'X-Own': 'two' } }),
      ],
      UNSTOPPED,
    )
    const [theirs, ours] = mailgun.calls
    expect(ours?.fields.toSorted()).toEqual(theirs?.fields.toSorted())
    expect([ours?.path, ours?.headers.authorization]).toEqual([theirs?.path, theirs?.headers.authorization])
    for (const call of [ours, theirs])
      expect(call?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('shows all recipients to everyone when there are no recipient variables', async () => {
    const mailgun = await aMailgun()
    const { 'recipient-variables': _, ...exposed } = TWO_MAILS
    await sdk(mailgun).messages.create('mg.x.tld', exposed)
    for (const { mail } of mailgun.ledger) expect(mail.to).toEqual(['ann@x.test', 'bob@x.test'])
    expect(mailgun.ledger[0]?.mail.variables).toEqual({ mid: '%recipient.mid%' })
  })

  it('takes a whole message as MIME', async () => {
    const mailgun = await aMailgun()
    const message = 'Subject: Hello %recipient.name%\r\n\r\nHello'
    await sdk(mailgun).messages.create('mg.x.tld', {
      to: ['ann@x.test'],
      message,
      'recipient-variables': '{"ann@x.test":{"name":"Ann"}}',
    })
    expect(mailgun.calls[0]?.path).toBe('/v3/mg.x.tld/messages.mime')
    expect(mailgun.ledger[0]?.mail.raw).toBe('Subject: Hello Ann\r\n\r\nHello')
  })

  it('lists domains by the page, and knows each by its name', async () => {
    const domains = ['mg.x.tld', { name: 'y.tld', state: 'unverified' as const }, 'z.tld']
    const client = sdk(await aMailgun({ domains }))
    const names = (await client.domains.list({ limit: 2, skip: 1 })).map(({ name, state }) => [name, state])
    expect(names).toEqual([
      ['y.tld', 'unverified'],
      ['z.tld', 'active'],
    ])
    expect(await client.domains.get('y.tld')).toMatchObject({ name: 'y.tld', state: 'unverified' })
    await expect(client.domains.get('none.tld')).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['no sender', { ...TWO_MAILS, from: '' }, 400, "'from' parameter is missing"],
    ['no recipient', { ...TWO_MAILS, to: [] }, 400, "'to' parameter is missing"],
    [
      'a bad address',
      { ...TWO_MAILS, to: ['ann@x.test', 'bob@nodot'] },
      400,
      'not a valid address: bob@nodot',
    ],
    [
      'too many',
      { ...TWO_MAILS, to: Array.from({ length: 1001 }, (_, n) => `p${n}@x.test`) },
      400,
      'too many recipients',
    ],
    ['too long headers', { ...TWO_MAILS, 'h:X-Long': 'y'.repeat(16_384) }, 400, '16 KB'],
    ['variables that are no JSON', { ...TWO_MAILS, 'recipient-variables': '{' }, 400, 'not a valid JSON'],
    ['no content', { ...TWO_MAILS, text: '', html: '' }, 400, 'Need at least one'],
  ])('takes nobody when there is %s', async (_, mail, status, details) => {
    const mailgun = await aMailgun()
    await expect(sdk(mailgun).messages.create('mg.x.tld', mail)).rejects.toMatchObject({
      status,
      details: expect.stringContaining(details),
    })
    expect(mailgun.ledger).toEqual([])
  })

  it('turns away a wrong key in plain text, an unknown domain, and a domain that may not send', async () => {
    const mailgun = await aMailgun({ domains: ['mg.x.tld', { name: 'y.tld', state: 'disabled' }] })
    const send = (domain: string, key?: string) => sdk(mailgun, key).messages.create(domain, TWO_MAILS)
    await expect(send('mg.x.tld', 'key-wrong')).rejects.toMatchObject({ status: 401, details: 'Forbidden' })
    await expect(send('none.tld')).rejects.toMatchObject({
      status: 404,
      details: 'Domain not found: none.tld',
    })
    await expect(send('y.tld')).rejects.toMatchObject({ status: 403 })
    await expect(sdk(mailgun, 'key-wrong').domains.list()).rejects.toMatchObject({
      status: 401,
      details: 'Invalid private key',
    })
  })

  it('lies when told to, before or after it has taken the mail', async () => {
    const mailgun = await aMailgun()
    mailgun.lieNext(
      { kind: 'rate-limit', seconds: 120 },
      { kind: 'answer', status: 402, message: 'request failed', when: 'before' },
      { kind: 'answer', status: 500, message: 'x', when: 'after' },
      { kind: 'reset', when: 'after' },
      { kind: 'reset', when: 'before' },
      null,
    )
    const send = () => sdk(mailgun).messages.create('mg.x.tld', TWO_MAILS)
    await expect(send()).rejects.toMatchObject({
      status: 429,
      details: expect.stringMatching(
        /^Domain mg\.x\.tld is not allowed to send: .* try again after 120 seconds$/,
      ),
    })
    await expect(send()).rejects.toMatchObject({ status: 402 })
    expect(mailgun.ledger).toHaveLength(0)
    await expect(send()).rejects.toMatchObject({ status: 500 })
    await expect(send()).rejects.toThrow()
    expect(mailgun.ledger).toHaveLength(4)
    await expect(send()).rejects.toThrow()
    await send()
    expect(mailgun.ledger).toHaveLength(6)
    mailgun.lieBy((call) =>
      call % 2 === 0 ? { kind: 'answer', status: 500, message: 'x', when: 'before' } : null,
    )
    await send()
    await expect(send()).rejects.toMatchObject({ status: 500 })
    expect(mailgun.calls).toHaveLength(8)
  })
})

it('reads a form that is urlencoded, and lists of addresses, as well', { tags: 'thorough' }, async () => {
  const mailgun = await aMailgun()
  const authorization = `Basic ${Buffer.from(`api:${mailgun.apiKey}`).toString('base64')}`
  const body = new URLSearchParams({ from: 'a@mg.x.tld', to: '"A, B" <ann@x.test>, bob@x.test', text: 'x' })
  const response = await fetch(new URL('/v3/mg.x.tld/messages', mailgun.url), {
    method: 'POST',
    headers: { authorization },
    body,
  })
  expect(response.status).toBe(200)
  expect(mailgun.ledger.map(({ recipient }) => recipient)).toEqual(['ann@x.test', 'bob@x.test'])
  const large = new URLSearchParams({ from: 'a@mg.x.tld', to: 'ann@x.test', text: 'x'.repeat(27_000_000) })
  const refusal = await fetch(new URL('/v3/mg.x.tld/messages', mailgun.url), {
    method: 'POST',
    headers: { authorization },
    body: large,
  })
  expect(refusal.status).toBe(413)
})

it('stands in the simulator’s file before its answer is heard, a line for each recipient', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-ledger-'))
  opened({ close: () => rm(folder, { recursive: true }) })
  const ledgerFile = join(folder, 'ledger.jsonl')
  const mailgun = await aMailgun({ ledgerFile })
  mailgun.lieNext(null, { kind: 'reset', when: 'after' })
  await sdk(mailgun).messages.create('mg.x.tld', TWO_MAILS)
  await expect(sdk(mailgun).messages.create('mg.x.tld', TWO_MAILS)).rejects.toThrow()
  const lines = (await readFile(ledgerFile, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(mailgun.ledger)
  expect(lines).toHaveLength(4)
})
