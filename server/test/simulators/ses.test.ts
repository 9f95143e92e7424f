import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  SendBulkEmailCommand,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSes } from '../../providers/ses.ts'
import { closedAfterEach } from '../closing.ts'
import { aCopy, aLetter, UNSTOPPED } from './a-mail.ts'
import { type SesSimulator, type SesSimulatorOptions, startSesSimulator } from './ses.ts'
import { aBulk, aMail, anSdk, FROM } from './ses-sdk.ts'

const opened = closedAfterEach()

const aSimulator = async (options: SesSimulatorOptions = {}): Promise<SesSimulator> =>
  opened(await startSesSimulator(options))

describe("driven by Amazon's own SDK, the simulator", () => {
  let ses: SesSimulator
  beforeEach(async () => {
    ses = await aSimulator()
  })

  it('takes a mail, and a mail to many from a template', async () => {
    const one = await anSdk(ses).send(aMail(['ann@x.test', 'bob@x.test'], 'Hello {{n}}'))
    expect(one.MessageId).toMatch(/^0100/)
    expect(ses.ledger.map(({ id, mail }) => [id, mail.to, mail.text])).toEqual([
      [one.MessageId, ['ann@x.test'], 'Hello {{n}}'],
      [one.MessageId, ['bob@x.test'], 'Hello {{n}}'],
    ])
    const many = await anSdk(ses).send(aBulk(['cy@x.test', 'Di <di@x.test>']))
    expect(many.BulkEmailEntryResults).toEqual(
      ses.ledger.slice(2).map(({ id }) => ({ Status: 'SUCCESS', MessageId: id })),
    )
    expect(ses.ledger[3]?.mail).toEqual({
      from: FROM,
      to: ['Di <di@x.test>'],
      replyTo: [],
      subject: 'Hi friend',
      text: 'Dear friend',
      html: '<p>friend friend</p>',
      headers: { 'X-All': '1', 'X-Own': 'Di <di@x.test>' },
      tags: { mid: 'm1' },
    })
    expect(ses.calls.map(({ path }) => path)).toEqual([
      '/v2/email/outbound-emails',
      '/v2/email/outbound-bulk-emails',
    ])
  })

  it('answers for each entry, and refuses more than fifty', async () => {
    ses.lieNext({ kind: 'entries', results: { 1: { Status: 'TRANSIENT_FAILURE', Error: 'Busy' } } })
    const answer = await anSdk(ses).send(aBulk(['a@x.test', 'b@x.test', 'c@nodot']))
    expect(answer.BulkEmailEntryResults).toMatchObject([
      { Status: 'SUCCESS' },
      { Status: 'TRANSIENT_FAILURE', Error: 'Busy' },
      { Status: 'INVALID_PARAMETER', Error: 'Missing final @domain or illegal address' },
    ])
    expect(ses.ledger).toHaveLength(1)
    const tooMany = Array.from({ length: 51 }, (_, n) => `p${n}@x.test`)
    await expect(anSdk(ses).send(aBulk(tooMany))).rejects.toMatchObject({ name: 'BadRequestException' })
  })

  it('checks every signature, and names what is wrong in the way that the SDK reads', async () => {
    await expect(anSdk(ses, { secretAccessKey: 'other' }).send(aMail(['a@x.test']))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      $metadata: { httpStatusCode: 403 },
    })
    await expect(anSdk(ses, { accessKeyId: 'AKIAOTHER' }).send(aMail(['a@x.test']))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    })
    const unsigned = await fetch(new URL('/v2/email/account', ses.url))
    expect([unsigned.status, unsigned.headers.get('x-amzn-errortype')]).toEqual([
      403,
      'MissingAuthenticationTokenException',
    ])
    expect(ses.calls).toHaveLength(0)
  })

  it('does not take a signature for another body, another path or another hour', async () => {
    let sent: { url: string; headers: Headers; body: string } | undefined
    const listening = createSes({
      ...ses,
      baseUrl: ses.url,
      fetch: async (input, init) => {
        if (init?.method === 'POST')
          sent = { url: String(input), headers: new Headers(init.headers), body: String(init.body) }
        return Response.json({}, { status: 500 })
      },
    })
    await listening.send(aLetter(), [aCopy()], UNSTOPPED)
    if (!sent) throw new Error('nothing was sent')
    const { url, headers, body } = sent
    const again = async (changes: { url?: string; body?: string }) =>
      (await fetch(changes.url ?? url, { method: 'POST', headers, body: changes.body ?? body })).status
    expect(await again({ body: body.replace('ann@x.test', 'eve@x.test') })).toBe(403)
    expect(await again({ url: url.replace('outbound-bulk-emails', 'outbound-emails') })).toBe(403)
    expect(await again({})).toBe(200)
    const late = await aSimulator({ now: () => Date.now() + 3_600_000 })
    await expect(anSdk(late).send(aMail(['a@x.test']))).rejects.toThrow(/Signature expired/)
  })

  it('tells of the account and of its identities', async () => {
    const asked = await aSimulator({
      isSandbox: true,
      maxSendRate: 1,
      identities: { 'x.test': true, 'jane@corp.test': false },
    })
    expect(await anSdk(asked).send(new GetAccountCommand({}))).toMatchObject({
      ProductionAccessEnabled: false,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { MaxSendRate: 1, Max24HourSend: 200 },
    })
    const identity = (EmailIdentity: string) =>
      anSdk(asked).send(new GetEmailIdentityCommand({ EmailIdentity }))
    expect(await identity('x.test')).toMatchObject({ VerifiedForSendingStatus: true })
    expect(await identity('jane@corp.test')).toMatchObject({ VerifiedForSendingStatus: false })
    await expect(identity('else.test')).rejects.toMatchObject({ name: 'NotFoundException' })
    const sendingOnly = await aSimulator({ sendingOnly: true })
    await expect(anSdk(sendingOnly).send(new GetAccountCommand({}))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    })
    await anSdk(sendingOnly).send(aMail(['a@x.test']))
  })

  it('holds the sandbox, the sender and the rate against the caller when it is told to', async () => {
    const strict = await aSimulator({ isSandbox: true, isThrottling: true, maxSendRate: 2 })
    const answer = await anSdk(strict).send(
      aBulk(['a@postrider.localhost', 'stranger@x.test', 'b@postrider.localhost', 'c@postrider.localhost']),
    )
    expect(answer.BulkEmailEntryResults?.map(({ Status }) => Status)).toEqual([
      'SUCCESS',
      'MESSAGE_REJECTED',
      'SUCCESS',
      'ACCOUNT_THROTTLED',
    ])
    const client = anSdk(strict)
    await expect(client.send(aMail(['d@postrider.localhost']))).rejects.toMatchObject({
      name: 'TooManyRequestsException',
    })
    await expect(
      client.send(aBulk(['a@postrider.localhost'], { FromEmailAddress: 'x@else.test' })),
    ).rejects.toMatchObject({ name: 'MessageRejected', message: expect.stringContaining('x@else.test') })
  })

  it('lies as planned, before or after the mail was taken', async () => {
    const busy = { status: 500, type: 'InternalServiceErrorException', message: 'Sorry' }
    ses.lieNext(
      { kind: 'answer', ...busy, when: 'before' },
      { kind: 'answer', ...busy, when: 'after' },
      { kind: 'reset', when: 'before' },
      { kind: 'reset', when: 'after' },
      { kind: 'throttle' },
      { kind: 'quota' },
    )
    for (const taken of [0, 1, 1, 2, 2, 2]) {
      await expect(anSdk(ses).send(aMail(['a@x.test']))).rejects.toThrow()
      expect(ses.ledger).toHaveLength(taken)
    }
    ses.lieBy((call) => (call === 8 ? { kind: 'reset', when: 'before' } : null))
    await anSdk(ses).send(aMail(['a@x.test']))
    await expect(anSdk(ses).send(aMail(['a@x.test']))).rejects.toThrow()
  })

  it('is sent the same by our client as by the SDK, for one mail and for many', async () => {
    const provider = createSes({ ...ses, baseUrl: ses.url })
    const letter = aLetter({ replyTo: 'jane@corp.test', headers: { 'X-All': '1' } })
    const copies = ['a@x.test', 'b@x.test'].map((to, n) =>
      aCopy({ to, messageId: `<m${n}@x.test>`, headers: { 'X-Own': `${n}` } }),
    )
    await provider.send(letter, copies, UNSTOPPED)
    await anSdk(ses).send(
      new SendBulkEmailCommand({
        FromEmailAddress: 'Postrider <mail@postrider.localhost>',
        ReplyToAddresses: ['jane@corp.test'],
        DefaultContent: {
          Template: {
            TemplateContent: { Subject: letter.subject, Text: letter.text, Html: letter.html },
            TemplateData: '{}',
            Headers: [{ Name: 'X-All', Value: '1' }],
          },
        },
        BulkEmailEntries: copies.map(({ to, headers }, n) => ({
          Destination: { ToAddresses: [to.address] },
          ReplacementTags: [{ Name: 'mid', Value: `m${n}` }],
          ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{}' } },
          ReplacementHeaders: [
            { Name: 'X-Own', Value: headers['X-Own'] },
            { Name: 'X-Postrider-Id', Value: `m${n}` },
          ],
        })),
      }),
    )
    const [ours, theirs] = ses.calls.map(({ body }) => JSON.parse(body))
    expect(ours).toEqual(theirs)
    const type = ses.calls.map(({ headers }) => headers['content-type'])
    expect(type[0]).toBe(type[1])
    const scopes = ses.calls.map(({ headers }) => /\/\d{8}\/(\S+),/.exec(headers.authorization ?? '')?.[1])
    expect(scopes).toEqual(['us-east-1/ses/aws4_request', 'us-east-1/ses/aws4_request'])

    const long = aLetter({ html: 'x'.repeat(1_000_000), headers: {} })
    await provider.send(long, [aCopy()], UNSTOPPED)
    await anSdk(ses).send(
      new SendEmailCommand({
        FromEmailAddress: 'Postrider <mail@postrider.localhost>',
        Destination: { ToAddresses: ['ann@x.test'] },
        Content: {
          Simple: {
            Subject: { Data: long.subject, Charset: 'UTF-8' },
            Body: {
              Text: { Data: long.text, Charset: 'UTF-8' },
              Html: { Data: long.html, Charset: 'UTF-8' },
            },
            Headers: [{ Name: 'X-Postrider-Id', Value: '1' }],
          },
        },
        EmailTags: [{ Name: 'mid', Value: '1' }],
      }),
    )
    const [oursAlone, theirsAlone] = ses.calls.slice(2).map(({ body }) => JSON.parse(body))
    expect(oursAlone).toEqual(theirsAlone)
  })
})

it('writes each recipient into its file before the answer is heard, whatever that says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-ledger-'))
  const ledgerFile = join(folder, 'ledger.jsonl')
  const ses = await aSimulator({ ledgerFile })
  ses.lieNext(null, { kind: 'reset', when: 'after' })
  await anSdk(ses).send(aBulk(['a@x.test', 'b@x.test']))
  await anSdk(ses)
    .send(aMail(['c@x.test', 'd@x.test']))
    .catch(() => {})
  const lines = (await readFile(ledgerFile, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(ses.ledger)
  expect(ses.ledger.map(({ mail }) => mail.to)).toEqual([
    ['a@x.test'],
    ['b@x.test'],
    ['c@x.test'],
    ['d@x.test'],
  ])
  await rm(folder, { recursive: true })
})
