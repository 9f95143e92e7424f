import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onLoopback } from '../test/loopback.ts'
import { aCopy, aFullCopy, aFullLetter, aLetter, sendOne, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import { inSilence } from '../test/simulators/silence.ts'
import { until } from '../test/until.ts'
import type { Copy, Letter } from './provider.ts'
import { createResend, type ResendOptions } from './resend.ts'

describe('Resend', () => {
  let resend: ResendSimulator
  beforeEach(async () => {
    resend = await startResendSimulator()
  })
  afterEach(() => resend.close())

  const send = (letter?: Letter, copy?: Copy, options: Partial<ResendOptions> = {}) =>
    sendOne(createResend({ apiKey: resend.apiKey, baseUrl: resend.url, ...options }), letter, copy)

  it('is handed the whole mail, and its id is the outcome', async () => {
    const copy = aFullCopy()
    const letter = aFullLetter()
    const outcome = await send(letter, copy)
    expect(outcome).toEqual({ kind: 'accepted', id: resend.ledger[0]?.id })
    expect(resend.ledger[0]?.mail).toEqual({
      from: '"Ann \\"A\\" O\'Hara, Ltd." <mail@postrider.localhost>',
      to: ['"Bob, B." <bob@x.test>'],
      reply_to: ['ann@corp.test'],
      subject: letter.subject,
      html: letter.html,
      text: letter.text,
      headers: { ...letter.headers, 'X-Own': '1' },
      tags: [{ name: 'mid', value: '0192ab-c_d' }],
    })
    expect(resend.calls[0]).toMatchObject({ path: '/emails', idempotencyKey: copy.idempotencyKey })
    expect(resend.calls[0]?.headers['user-agent']).toBe('Postrider')
    await send(aLetter({ headers: {} }), aCopy({ idempotencyKey: '2', headers: { 'X-Own': '1' } }))
    await send(aLetter({ headers: {} }), aCopy({ idempotencyKey: '3' }))
    expect(resend.ledger.slice(1).map(({ mail }) => mail.headers)).toEqual([{ 'X-Own': '1' }, {}])
  })

  it('waits as long as it is told after 429', async () => {
    resend.lieNext({ kind: 'rate-limit', retryAfter: 7 })
    expect(await send()).toMatchObject({ kind: 'try-later', afterMs: 7000, about: 'account' })
  })

  it.each([
    ['daily', '22:30', 60],
    ['daily', '23:30', 30],
    ['monthly', '08:00', 60],
  ] as const)(
    'asks again within the hour when the %s quota is used up at %s: another plan may have been bought, or it is midnight UTC',
    async (period, time, minutes) => {
      for (const told of [{}, { retryAfter: 1 }]) {
        resend.lieNext({ kind: 'quota', period, ...told })
        const outcome = await send(aLetter(), aCopy(), { now: () => new Date(`2026-03-01T${time}:00Z`) })
        expect(outcome).toMatchObject({ kind: 'try-later', afterMs: minutes * 60_000, about: 'account' })
      }
    },
  )

  it.each([
    'The postrider.localhost domain is not verified. Please, add and verify your domain on https://resend.com/domains',
    'You can only send testing emails to your own email address (ann@x.test). To send emails to other recipients, please verify a domain at resend.com/domains, and change the `from` address to an email using this domain.',
  ])(
    'keeps the mail for later, and says what to do, while it does not let the domain send: %s',
    async (message) => {
      resend.lieNext({ kind: 'answer', status: 403, name: 'validation_error', message, when: 'before' })
      const outcome = await send()
      expect(outcome).toMatchObject({ kind: 'try-later', afterMs: null, about: 'account' })
      expect(outcome).toHaveProperty(
        'reason',
        expect.stringMatching(
          /^Resend answered 403: (The|You) .+[^.]\. Verify the domain of the sender at Resend/,
        ),
      )
    },
  )

  it.each([
    [409, 'concurrent_idempotent_requests', 'unknown'],
    [409, 'invalid_idempotent_request', 'unknown'],
    [400, 'validation_error', 'rejected'],
    [422, 'invalid_from_address', 'rejected'],
    [403, 'validation_error', 'rejected'],
    [403, 'suspended_api_key', 'try-later'],
    [403, 'invalid_permission', 'try-later'],
    [401, 'restricted_api_key', 'try-later'],
    [404, 'not_found', 'try-later'],
    [408, 'timeout', 'try-later'],
    [503, 'service_unavailable', 'try-later'],
    [500, 'application_error', 'unknown'],
    [502, 'bad_gateway', 'unknown'],
    [504, 'gateway_timeout', 'unknown'],
    [302, 'redirect', 'try-later'],
  ])('takes %i %s as %s, in its words', async (status, name, kind) => {
    resend.lieNext({ kind: 'answer', status, name, message: 'Because of this.', when: 'before' })
    const outcome = await send()
    expect(outcome).toMatchObject({ kind, reason: `Resend answered ${status}: Because of this.` })
    if (outcome.kind === 'try-later') expect(outcome.about).toBe('account')
  })

  it('keeps the mail for later when the key is wrong, and never shows a key', async () => {
    const outcome = await send(aLetter(), aCopy(), { apiKey: 're_wrong' })
    expect(outcome).toMatchObject({ kind: 'try-later', reason: 'Resend answered 400: API key is invalid' })
    resend.lieNext({
      kind: 'answer',
      status: 422,
      name: 'x',
      message: `Bearer ${resend.apiKey}\nno`,
      when: 'before',
    })
    expect(await send()).toMatchObject({
      kind: 'rejected',
      reason: 'Resend answered 422: Bearer … no',
    })
  })

  it('does not know after a reset, and a repetition under the same key is one mail', async () => {
    resend.lieNext(
      { kind: 'reset', when: 'after' },
      { kind: 'answer', status: 500, name: 'x', message: 'x', when: 'after' },
    )
    expect(await send()).toMatchObject({ kind: 'unknown' })
    expect(await send()).toMatchObject({ kind: 'unknown' })
    expect(await send()).toEqual({ kind: 'accepted', id: resend.ledger[0]?.id })
    expect(resend.ledger).toHaveLength(1)
    expect(await send(aLetter({ subject: 'Another' }))).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('This idempotency key has been used with another request body.'),
    })
  })

  it('does not know after silence, and says so when it is stopped', async () => {
    const late = await inSilence(resend, 50, () => send(aLetter(), aCopy(), { timeoutMs: 50 }))
    expect(late).toMatchObject({ kind: 'unknown' })
    const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
    const stopped = await inSilence(resend, 50, () =>
      provider.send(aLetter(), [aCopy({ idempotencyKey: '2' })], AbortSignal.timeout(50)),
    )
    expect(stopped).toMatchObject([{ kind: 'unknown' }])
    expect(await provider.send(aLetter(), [aCopy()], AbortSignal.abort())).toMatchObject([
      { kind: 'try-later', about: 'mail' },
    ])
  })

  it.each(['127.0.0.1', 'localhost', 'nobody.invalid'])(
    'tries later when nobody answers at %s',
    async (host) => {
      await resend.close()
      const baseUrl = new URL(`http://${host}:${resend.url.port}`)
      expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({
        kind: 'try-later',
        about: 'account',
      })
    },
  )

  it('does not know while the first call under the same key is under way', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    resend.lieNext({ kind: 'held', until: answered })
    const first = send()
    await until('the first call', async () => resend.calls.length === 1)
    expect(await send()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('in progress') })
    answer()
    expect(await first).toMatchObject({ kind: 'accepted' })
    expect(await send()).toEqual(await first)
    expect(resend.ledger).toHaveLength(1)
  })

  it('does not lose the mail by a refusal in words that are not its own', async () => {
    const page = (status: number) => async () => new Response('<html>Blocked</html>', { status })
    expect(await send(aLetter(), aCopy(), { fetch: page(403) })).toMatchObject({
      kind: 'try-later',
      about: 'account',
    })
    expect(await send(aLetter(), aCopy(), { fetch: page(413) })).toMatchObject({ kind: 'rejected' })
  })

  it.each([
    ['is no JSON', '<html>'],
    ['carries no id', '{}'],
    ['does not end', `{"id":"1"${' '.repeat(2_000_000)}}`],
  ])('does not know when a 200 %s', async (_, body) => {
    const fetch = async () => new Response(body, { status: 200 })
    expect(await send(aLetter(), aCopy(), { fetch })).toMatchObject({ kind: 'unknown' })
  })

  it('stops listening to an answer that is far too long', async () => {
    let chunks = 0
    const endless = new ReadableStream({
      pull: (stream) => {
        stream.enqueue(new Uint8Array(100_000))
        if (++chunks === 100) stream.close()
      },
    })
    await send(aLetter(), aCopy(), { fetch: async () => new Response(endless, { status: 200 }) })
    expect(chunks).toBeLessThan(15)
  })

  it('is not followed to another place', async () => {
    const visits: (string | undefined)[] = []
    const gate = createServer(({ url }, response) => {
      visits.push(url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const { url: baseUrl, close } = await onLoopback(gate)
    expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({ kind: 'try-later', about: 'account' })
    expect(visits).toEqual(['/emails'])
    await close()
  })

  describe('asked whether it would take mail', () => {
    const check = (options: Partial<ResendOptions> = {}) =>
      createResend({ apiKey: resend.apiKey, baseUrl: resend.url, ...options }).check(UNSTOPPED)

    it('has nothing against a key that may read the domains, nor against one that may only send', async () => {
      expect(await check()).toBeNull()
      const sendingOnly = await startResendSimulator({ sendingOnly: true })
      expect(await check({ baseUrl: sendingOnly.url })).toBeNull()
      await sendingOnly.close()
      expect(resend.ledger).toHaveLength(0)
    })

    it.each([
      [400, 'validation_error', 'API key is invalid'],
      [403, 'restricted_api_key', 'This API key is inactive'],
      [403, 'suspended_api_key', 'Suspended'],
      [429, 'rate_limit_exceeded', 'Too many requests'],
      [500, 'application_error', 'Sorry'],
    ])('says why not after %i %s', async (status, name, message) => {
      const fetch = async () => Response.json({ name, message: `${message} ${resend.apiKey}` }, { status })
      expect(await check({ fetch })).toBe(`Resend answered ${status}: ${message} …`)
    })

    it('says that it is away', async () => {
      await resend.close()
      expect(await check()).toBe('Resend cannot be reached (ECONNREFUSED)')
      const silent = () => new Promise<Response>((_, reject) => setTimeout(() => reject(timedOut), 10))
      const timedOut = new DOMException('too long', 'TimeoutError')
      expect(await check({ fetch: silent })).toBe('Resend did not answer (no answer in time)')
    })
  })
})
