import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sdk from '@sendgrid/mail'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSendgrid } from '../../providers/sendgrid.ts'
import { aCopy, aLetter, UNSTOPPED } from './a-mail.ts'
import { type SendgridSimulator, startSendgridSimulator } from './sendgrid.ts'

/** What the official client takes for one mail. */
type SdkMail = Exclude<Parameters<typeof sdk.send>[0], unknown[]>

/** What the official client answers, or throws, of which we look at the same parts. */
type SdkAnswer = { status: number; headers: Record<string, string>; body: unknown }
type SdkFailure = { code: number; response: { headers: Record<string, string>; body: unknown } }

/** The types of the official client do not show the part where its address is set. */
const { client } = sdk as unknown as { client: { setDefaultRequest(key: 'baseUrl', url: string): void } }

function speakTo({ url, apiKey }: SendgridSimulator, key = apiKey): void {
  sdk.setApiKey(key)
  client.setDefaultRequest('baseUrl', url.href)
}

const sendBySdk = (mail: SdkMail): Promise<SdkAnswer> =>
  sdk.send(mail).then(
    ([{ statusCode, headers, body }]) => ({ status: statusCode, headers, body }),
    ({ code, response: { headers, body } }: SdkFailure) => ({ status: code, headers, body }),
  )

const aMail = (parts: Partial<SdkMail> = {}): SdkMail =>
  ({
    to: 'ann@x.test',
    from: 'mail@postrider.localhost',
    subject: 'Hi',
    text: 'Hello',
    ...parts,
  }) as SdkMail
const errors = (...fields: (string | null)[]) => ({
  errors: fields.map((field) => ({ message: expect.any(String), field, help: null })),
})

describe('the simulator, spoken to by the official client', () => {
  let sendgrid: SendgridSimulator
  beforeEach(async () => {
    sendgrid = await startSendgridSimulator()
    speakTo(sendgrid)
  })
  afterEach(() => sendgrid.close())

  it('takes a mail with 202, no words, and an id', async () => {
    const answer = await sendBySdk(aMail())
    expect(answer).toMatchObject({ status: 202, body: '' })
    expect(sendgrid.ledger).toMatchObject([{ callId: answer.headers['x-message-id'], to: 'ann@x.test' }])
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599' })
  })

  it('hears the same from our client as from the official one', async () => {
    const letter = aLetter({
      from: { name: 'Ann "A" Müller, Ltd.', address: 'mail@postrider.localhost' },
      replyTo: 'ann@corp.test',
    })
    const copies = [1, 2].map((n) =>
      aCopy({
        to: { name: n === 1 ? 'Bob Ö.' : '', address: `bob${n}@x.test` },
        messageId: `<m-${n}@x.test>`,
        headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` },
      }),
    )
    const provider = createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url })
    await provider.send(letter, copies, UNSTOPPED)
    await sendBySdk({
      from: { name: letter.from.name, email: letter.from.address },
      replyTo: 'ann@corp.test',
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      headers: { ...letter.headers },
      personalizations: copies.map(({ to, headers }, n) => ({
        to: to.name === '' ? { email: to.address } : { email: to.address, name: to.name },
        headers: { ...headers },
        customArgs: { mid: `m-${n + 1}` },
      })),
      trackingSettings: {
        clickTracking: { enable: false, enableText: false },
        openTracking: { enable: false },
        subscriptionTracking: { enable: false },
        ganalytics: { enable: false },
      },
    })
    const [ours, theirs] = sendgrid.calls.map(({ body }) => JSON.parse(body))
    expect(ours).toEqual(theirs)
    expect(sendgrid.ledger).toHaveLength(4)
    const [call, sdkCall] = sendgrid.calls
    for (const name of ['authorization', 'accept', 'content-type'])
      expect(call?.headers[name]).toBe(sdkCall?.headers[name])
  })

  it('checks a mail in the sandbox and takes nothing', async () => {
    const mailSettings = { sandboxMode: { enable: true } }
    expect(await sendBySdk(aMail({ mailSettings }))).toMatchObject({ status: 200, body: '' })
    expect(sendgrid.ledger).toEqual([])
  })

  it.each([
    ['an address that is none', { to: ['ann@x.test', 'bob@nodot'] }, 'personalizations.0.to.1.email'],
    [
      'a name with a comma',
      { to: { email: 'ann@x.test', name: 'Hara, Ann' } },
      'personalizations.0.to.0.name',
    ],
    ['the same recipient twice', { to: 'ann@x.test', cc: 'Ann@x.test' }, 'personalizations.0'],
    ['an empty text', { text: '', content: [{ type: 'text/plain', value: '' }] }, 'content.0.value'],
    [
      'HTML before text',
      { content: ['html', 'plain'].map((type) => ({ type: `text/${type}`, value: 'x' })) },
      'content',
    ],
    ['a reserved header', { headers: { 'Reply-To': 'a@x.test' } }, 'headers'],
    ['too many custom arguments', { customArgs: { a: 'x'.repeat(10_000) } }, 'custom_args'],
  ])('refuses %s, by the name of its field', async (_, parts, field) => {
    const text = 'content' in parts ? { text: undefined } : {}
    const answer = await sendBySdk(aMail({ ...parts, ...text } as Partial<SdkMail>))
    expect(answer).toMatchObject({ status: 400, body: errors(field) })
    expect(sendgrid.ledger).toEqual([])
  })

  it('takes a thousand recipients and not one more', async () => {
    const people = Array.from({ length: 1001 }, (_, n) => `p${n}@x.test`)
    const one = (to: string) => ({ to })
    expect(await sendBySdk(aMail({ to: people }))).toMatchObject({
      status: 400,
      body: errors('personalizations'),
    })
    const many = { to: undefined, personalizations: people.map(one) } as unknown as Partial<SdkMail>
    expect((await sendBySdk(aMail(many))).status).toBe(400)
    expect((await sendBySdk(aMail({ to: people.slice(1) }))).status).toBe(202)
    expect(sendgrid.ledger).toHaveLength(1000)
  })

  it('turns away a wrong key, a key that may not send, and a sender that is not verified', async () => {
    speakTo(sendgrid, 'SG.wrong')
    expect(await sendBySdk(aMail())).toMatchObject({
      status: 401,
      body: {
        errors: [
          { message: 'The provided authorization grant is invalid, expired, or revoked', field: null },
        ],
      },
    })
    speakTo(sendgrid)
    expect(await sendBySdk(aMail({ from: 'me@other.test' }))).toMatchObject({
      status: 403,
      body: errors('from'),
    })
    const narrow = await startSendgridSimulator({ scopes: [] })
    speakTo(narrow)
    expect(await sendBySdk(aMail())).toMatchObject({ status: 403, body: errors(null) })
    await narrow.close()
  })

  it('refuses what is too large', { tags: 'thorough' }, async () => {
    const answer = await sendBySdk(aMail({ text: 'x'.repeat(30_000_000) }))
    expect(answer).toMatchObject({ status: 413, body: errors(null) })
  })

  it('tells in seconds of the clock when it may be called again', async () => {
    sendgrid.lieNext({ kind: 'rate-limit', retryAfter: 30 })
    const answer = await sendBySdk(aMail())
    expect(answer).toMatchObject({
      status: 429,
      body: { errors: [{ field: null, message: 'too many requests' }] },
    })
    expect(Number(answer.headers['x-ratelimit-reset'])).toBeCloseTo(Date.now() / 1000 + 30, -1)
    expect(answer.headers['x-ratelimit-remaining']).toBe('0')
  })

  it('lies as it is told, before or after it took the mail', async () => {
    const post = (parts: RequestInit = {}) =>
      fetch(new URL('v3/mail/send', sendgrid.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${sendgrid.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          personalizations: [{ to: [{ email: 'ann@x.test' }] }],
          from: { email: 'mail@postrider.localhost' },
          subject: 's',
          content: [{ type: 'text/plain', value: 't' }],
        }),
        ...parts,
      }).then(
        ({ status }) => status,
        () => null,
      )
    const failing = { kind: 'answer', status: 500, message: 'Sorry' } as const
    sendgrid.lieNext({ ...failing, when: 'before' }, { kind: 'reset', when: 'before' })
    expect([await post(), await post()]).toEqual([500, null])
    expect(sendgrid.ledger).toHaveLength(0)
    sendgrid.lieBy((call) => (call === 3 ? { ...failing, when: 'after' } : { kind: 'reset', when: 'after' }))
    expect([await post(), await post()]).toEqual([500, null])
    expect(sendgrid.ledger).toHaveLength(2)
    sendgrid.lieBy(() => null)
    expect(await post({ body: '{' })).toBe(400)
    expect(await post({ headers: { authorization: `Bearer ${sendgrid.apiKey}` } })).toBe(415)
    expect(await post({ headers: {} })).toBe(401)
    expect(sendgrid.calls).toHaveLength(6)
  })
})

it('has each recipient’s mail in its file before the answer is heard, whatever that says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-ledger-'))
  const ledgerFile = join(folder, 'ledger.jsonl')
  const sendgrid = await startSendgridSimulator({ ledgerFile })
  const provider = createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url })
  const copies = [1, 2, 3].map((n) => aCopy({ to: `p${n}@x.test`, messageId: `<m${n}@x.test>` }))
  sendgrid.lieNext(null, { kind: 'reset', when: 'after' })
  await provider.send(aLetter(), copies, UNSTOPPED)
  await provider.send(aLetter(), copies.slice(1), UNSTOPPED)
  const lines = (await readFile(ledgerFile, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(sendgrid.ledger.map(({ letter, ...own }) => own))
  expect(lines.map((line) => JSON.parse(line).to)).toEqual([1, 2, 3, 2, 3].map((n) => `p${n}@x.test`))
  await sendgrid.close()
  await rm(folder, { recursive: true })
})
