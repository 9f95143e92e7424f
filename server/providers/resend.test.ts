import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import type { Copy, Letter, Outcome } from './provider.ts'
import { createResend, type ResendOptions } from './resend.ts'

describe('Resend', () => {
  let resend: ResendSimulator
  beforeEach(async () => {
    resend = await startResendSimulator()
  })
  afterEach(() => resend.close())

  async function send(
    letter: Letter = aLetter(),
    copy: Copy = aCopy(),
    options: Partial<ResendOptions> = {},
  ): Promise<Outcome> {
    const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url, ...options })
    const [outcome] = await provider.send(letter, [copy], AbortSignal.timeout(10_000))
    if (!outcome) throw new Error('no outcome')
    return outcome
  }

  it('is handed the whole mail, and its id is the outcome', async () => {
    const copy = aCopy({ to: { name: 'Bob, B.', address: 'bob@x.test' }, headers: { 'X-Own': '1' } })
    const letter = aLetter({
      from: { name: 'Ann "A" O\'Hara, Ltd.', address: 'mail@postrider.localhost' },
      replyTo: 'ann@corp.test',
    })
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
    })
    expect(resend.calls[0]).toMatchObject({ path: '/emails', idempotencyKey: copy.idempotencyKey })
    expect(resend.calls[0]?.headers['user-agent']).toBe('Postrider')
  })

  it('answers for each mail of a batch, in order', async () => {
    const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
    resend.lieNext(null, {
      kind: 'answer',
      status: 422,
      name: 'invalid_parameter',
      message: 'Bad.',
      when: 'before',
    })
    const batch = ['1', '2', '3'].map((n) => aCopy({ idempotencyKey: n, to: `p${n}@x.test` }))
    const outcomes = await provider.send(aLetter(), batch, AbortSignal.timeout(10_000))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'rejected', 'accepted'])
    expect(resend.ledger.map(({ mail }) => mail.to[0])).toEqual(['p1@x.test', 'p3@x.test'])
  })

  it('waits as long as it is told after 429', async () => {
    resend.lieNext({ kind: 'rate-limit', retryAfter: 7 })
    expect(await send()).toMatchObject({ kind: 'try-later', afterMs: 7000 })
  })

  it('waits for midnight UTC when the daily quota is used up', async () => {
    resend.lieNext({ kind: 'quota', period: 'daily' })
    const outcome = await send(aLetter(), aCopy(), { now: () => new Date('2026-03-01T22:30:00Z') })
    expect(outcome).toMatchObject({ kind: 'try-later', afterMs: 90 * 60_000 })
  })

  it.each([
    [409, 'concurrent_idempotent_requests', 'try-later'],
    [409, 'invalid_idempotent_request', 'rejected'],
    [422, 'invalid_from_address', 'rejected'],
    [403, 'validation_error', 'rejected'],
    [403, 'suspended_api_key', 'try-later'],
    [503, 'service_unavailable', 'try-later'],
    [500, 'application_error', 'unknown'],
    [502, 'bad_gateway', 'unknown'],
    [302, 'redirect', 'try-later'],
  ])('takes %i %s as %s, in its words', async (status, name, kind) => {
    resend.lieNext({ kind: 'answer', status, name, message: 'Because of this.', when: 'before' })
    expect(await send()).toMatchObject({ kind, reason: `Resend answered ${status}: Because of this.` })
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
    expect(await send(aLetter({ subject: 'Another' }))).toMatchObject({ kind: 'rejected' })
  })

  it('does not know after silence, and says so when it is stopped', async () => {
    resend.lieNext({ kind: 'delay', ms: 400 }, { kind: 'delay', ms: 400 })
    expect(await send(aLetter(), aCopy(), { timeoutMs: 50 })).toMatchObject({ kind: 'unknown' })
    const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
    expect(await provider.send(aLetter(), [aCopy()], AbortSignal.timeout(50))).toMatchObject([
      { kind: 'unknown' },
    ])
    expect(await provider.send(aLetter(), [aCopy()], AbortSignal.abort())).toMatchObject([
      { kind: 'try-later' },
    ])
  })

  it.each(['127.0.0.1', 'localhost', 'nobody.invalid'])(
    'tries later when nobody answers at %s',
    async (host) => {
      await resend.close()
      const baseUrl = new URL(`http://${host}:${resend.url.port}`)
      expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({ kind: 'try-later' })
    },
  )

  it('does not know when a 200 carries no id', async () => {
    const fetch = async () => new Response('<html>', { status: 200 })
    expect(await send(aLetter(), aCopy(), { fetch })).toMatchObject({ kind: 'unknown' })
  })
})
