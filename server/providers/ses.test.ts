import { beforeEach, describe, expect, it } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { aCopy, aFullCopy, aFullLetter, aLetter, sendOne, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SesSimulator, type SesSimulatorOptions, startSesSimulator } from '../test/simulators/ses.ts'
import { inSilence } from '../test/simulators/silence.ts'
import type { Copy, Letter } from './provider.ts'
import { createSes, isSesRegion, type SesOptions } from './ses.ts'

describe('Amazon SES', () => {
  let ses: SesSimulator
  const opened = closedAfterEach()
  const start = async (options: SesSimulatorOptions = {}) => opened(await startSesSimulator(options))
  beforeEach(async () => {
    ses = await start()
  })

  const aProvider = (options: Partial<SesOptions> = {}, simulator = ses) =>
    createSes({ ...simulator, baseUrl: simulator.url, ...options })

  const send = (letter?: Letter, copy?: Copy, options: Partial<SesOptions> = {}) =>
    sendOne(aProvider(options), letter, copy)

  /** Answers sending calls with this, and all others honestly. */
  const answering =
    (body: unknown, init: ResponseInit = {}): typeof globalThis.fetch =>
    async (input, request) =>
      request?.method === 'POST' ? Response.json(body, init) : fetch(input, request)

  it('is handed the whole mail, and its id is the outcome', async () => {
    const copy = aFullCopy()
    const letter = aFullLetter()
    expect(await send(letter, copy)).toEqual({ kind: 'accepted', id: ses.ledger[0]?.id })
    expect(ses.ledger[0]?.mail).toEqual({
      from: '"Ann \\"A\\" O\'Hara, Ltd." <mail@postrider.localhost>',
      to: ['"Bob, B." <bob@x.test>'],
      replyTo: ['ann@corp.test'],
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      headers: { ...letter.headers, 'X-Own': '1', 'X-Postrider-Id': '0192ab-c_d' },
      tags: { mid: '0192ab-c_d' },
    })
    expect(ses.calls[0]?.headers['user-agent']).toBe('Postrider')
  })

  it('is sent names and headers in ASCII, and a domain as the DNS knows it', async () => {
    const copy = aCopy({
      to: { name: 'Jürgen 中', address: 'j@bücher.example' },
      headers: { 'X-Town': 'Köln' },
    })
    expect(await send(aLetter({ subject: 'Größe' }), copy)).toMatchObject({ kind: 'accepted' })
    expect(ses.ledger[0]?.mail).toMatchObject({
      to: ['=?UTF-8?B?SsO8cmdlbiDkuK0=?= <j@xn--bcher-kva.example>'],
      subject: 'Größe',
      headers: { 'X-Town': '=?UTF-8?B?S8O2bG4=?=' },
    })
    expect(ses.calls[0]?.body).not.toMatch(/bücher|Köln|Jürgen/)
  })

  it('is not asked for what it could only refuse', async () => {
    const refusal = (about: string) => ({ kind: 'rejected', reason: expect.stringContaining(about) })
    expect(await send(aLetter(), aCopy({ to: 'jörg@x.test' }))).toMatchObject(refusal('The recipient'))
    expect(await send(aLetter({ replyTo: 'jörg@x.test' }))).toMatchObject(refusal('The reply address'))
    const long = { 'X-Long': 'x'.repeat(991) }
    expect(await send(aLetter(), aCopy({ headers: long }))).toMatchObject(refusal('X-Long'))
    expect(await send(aLetter({ headers: long }))).toMatchObject(refusal('X-Long'))
    expect(await send(aLetter(), aCopy({ to: 'two, three' }))).toMatchObject({ kind: 'rejected' })
    expect(ses.calls).toHaveLength(0)
    expect(await send(aLetter(), aCopy({ headers: { 'X-Long': 'x'.repeat(990) } }))).toMatchObject({
      kind: 'accepted',
    })
  })

  it('finds our id in a header only where there is room for it and nobody else uses it', async () => {
    const headers = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`X-${n}`, '1']))
    await send(aLetter({ headers: {} }), aCopy({ headers }))
    await send(aLetter({ headers: { 'x-postrider-id': 'mine' } }))
    expect(ses.ledger[0]?.mail.headers).toEqual(headers)
    expect(ses.ledger[1]?.mail.headers).toEqual({ 'x-postrider-id': 'mine' })
  })

  it.each([
    [400, 'BadRequestException', 'rejected', null],
    [400, 'MessageRejected', 'rejected', null],
    [413, '', 'rejected', null],
    [400, 'MailFromDomainNotVerifiedException', 'try-later', null],
    [400, 'AccountSuspendedException', 'try-later', null],
    [400, 'SendingPausedException', 'try-later', null],
    [400, 'LimitExceededException', 'try-later', 3_600_000],
    [400, 'ThrottlingException', 'try-later', 1000],
    [429, 'TooManyRequestsException', 'try-later', 1000],
    [403, 'AccessDeniedException', 'try-later', null],
    [403, 'UnrecognizedClientException', 'try-later', null],
    [403, 'ExpiredTokenException', 'try-later', null],
    [400, 'IncompleteSignatureException', 'try-later', null],
    [404, 'NotFoundException', 'try-later', null],
    [408, 'RequestTimeout', 'try-later', null],
    [503, 'ServiceUnavailableException', 'try-later', null],
    [302, '', 'try-later', null],
    [500, 'InternalServiceErrorException', 'unknown', null],
    [502, '', 'unknown', null],
    [504, '', 'unknown', null],
  ])('takes %i %s as %s, in its words', async (status, type, kind, afterMs) => {
    ses.lieNext({ kind: 'answer', status, type, message: 'Because of this.', when: 'before' })
    const outcome = await send()
    expect(outcome).toMatchObject({
      kind,
      reason: expect.stringContaining(`Amazon SES answered ${status}: Because of this`),
    })
    if (outcome.kind === 'try-later') expect(outcome).toMatchObject({ about: 'account', afterMs })
    expect(ses.calls).toHaveLength(1)
  })

  it('waits a moment for the rate and an hour for the quota', async () => {
    ses.lieNext({ kind: 'throttle' }, { kind: 'quota' })
    expect(await send()).toMatchObject({ kind: 'try-later', afterMs: 1000, about: 'account' })
    expect(await send()).toMatchObject({ kind: 'try-later', afterMs: 3_600_000, about: 'account' })
    const words = { message: 'Maximum sending rate exceeded.' }
    expect(await send(aLetter(), aCopy(), { fetch: answering(words, { status: 400 }) })).toMatchObject({
      kind: 'try-later',
      afterMs: 1000,
    })
  })

  it('loses no mail because the sending address is not verified', async () => {
    const letter = aLetter({ from: { name: '', address: 'mail@else.test' } })
    expect(await send(letter)).toEqual({
      kind: 'try-later',
      reason:
        'Amazon SES answered 400: Email address is not verified. The following identities failed the check in region US-EAST-1: mail@else.test. Verify the sending address, or its domain, in the Amazon SES console of this region',
      afterMs: null,
      about: 'account',
    })
  })

  it('keeps the mail for later when the key is wrong, and never shows a secret', async () => {
    expect(await send(aLetter(), aCopy(), { secretAccessKey: 'wrong/secret' })).toEqual({
      kind: 'try-later',
      reason:
        'Amazon SES answered 403: InvalidSignatureException. Check the secret access key, and the clock of this server',
      afterMs: null,
      about: 'account',
    })
    expect(await send(aLetter(), aCopy(), { accessKeyId: 'AKIAWRONG' })).toMatchObject({
      kind: 'try-later',
      reason: expect.stringContaining('Check the access key ID'),
    })
    const message = `the key ${ses.secretAccessKey}\nno`
    ses.lieNext({ kind: 'answer', status: 400, type: 'BadRequestException', message, when: 'before' })
    expect(await send()).toMatchObject({ kind: 'rejected', reason: 'Amazon SES answered 400: the key … no' })
  })

  it('reads the name of an error wherever Amazon puts it', async () => {
    const body = { __type: 'com.amazonaws.sesv2#AccountSuspendedException', Message: 'No.' }
    expect(await send(aLetter(), aCopy(), { fetch: answering(body, { status: 400 }) })).toMatchObject({
      kind: 'try-later',
      reason: expect.stringContaining('answered 400: No. Amazon has suspended this account'),
    })
    const headers = { 'x-amzn-errortype': 'SendingPausedException:http://internal.amazon.com/' }
    expect(await send(aLetter(), aCopy(), { fetch: answering({}, { status: 400, headers }) })).toMatchObject({
      kind: 'try-later',
    })
  })

  it('does not know after a reset, a silence or a failure, and sends nothing twice by itself', async () => {
    const failure = { status: 500, type: 'x', message: 'x' } as const
    ses.lieNext({ kind: 'reset', when: 'after' }, { kind: 'answer', ...failure, when: 'after' })
    expect(await send()).toMatchObject({ kind: 'unknown' })
    expect(await send()).toMatchObject({ kind: 'unknown' })
    const outcome = await inSilence(ses, 80, () => send(aLetter(), aCopy(), { timeoutMs: 80 }))
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(ses.calls).toHaveLength(3)
    expect(aProvider().repeatableMs).toBe(0)
  })

  it('begins nothing once it is stopped, or no longer wanted', async () => {
    const stopped = await aProvider().send(aLetter(), [aCopy()], AbortSignal.abort())
    expect(stopped).toMatchObject([{ kind: 'try-later', about: 'mail' }])
    const unwanted = await aProvider().send(aLetter(), [aCopy()], UNSTOPPED, () => false)
    expect(unwanted).toEqual([{ kind: 'not-begun' }])
    expect(ses.calls).toHaveLength(0)
  })

  it.each(['127.0.0.1', 'nobody.invalid'])('tries later when nobody answers at %s', async (host) => {
    await ses.close()
    const baseUrl = new URL(`http://${host}:${ses.url.port}`)
    expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({ kind: 'try-later', about: 'account' })
  })

  it('does not lose the mail by a refusal in words that are not its own', async () => {
    const page: typeof fetch = async () => new Response('<html>Blocked</html>', { status: 400 })
    expect(await send(aLetter(), aCopy(), { fetch: page })).toMatchObject({
      kind: 'try-later',
      about: 'account',
    })
  })

  describe('lives in regions that exist', () => {
    it.each(['us-east-1', 'eu-central-1', 'ap-southeast-2', 'us-gov-west-1'])(
      'such as %s',
      async (region) => {
        const hosts: string[] = []
        const there: typeof fetch = async (input) => {
          hosts.push(new URL(String(input)).host)
          return Response.json({}, { status: 503 })
        }
        await send(aLetter(), aCopy(), { region, baseUrl: null, fetch: there })
        expect(new Set(hosts)).toEqual(new Set([`email.${region}.amazonaws.com`]))
      },
    )

    it.each([
      '',
      'us-east-1.x.test/#',
      'x.test/?',
      'us-east-1@x.test',
      'us-east-1\r\nHost: x.test',
      'us-east-1 ',
      'US-EAST-1',
      'us-east-9',
      'localhost',
      '../x',
      '__proto__',
      'constructor',
    ])('and not in %j', (region) => {
      expect(isSesRegion(region)).toBe(false)
      expect(() => aProvider({ region })).toThrow('Amazon SES has no such region')
    })
  })

  it('is known by its key and its region', () => {
    const identities = [
      aProvider(),
      aProvider({ secretAccessKey: 'rolled' }),
      aProvider({ accessKeyId: 'AKIAOTHER' }),
      aProvider({ region: 'eu-west-1' }),
    ].map(({ identity }) => identity)
    expect(identities[1]).toBe(identities[0])
    expect(new Set(identities).size).toBe(3)
    expect(identities.join()).not.toContain(ses.accessKeyId)
  })
})
