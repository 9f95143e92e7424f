import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aCopy, aFullCopy, aFullLetter, aLetter, sendOne, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SendgridSimulator, startSendgridSimulator } from '../test/simulators/sendgrid.ts'
import { inSilence } from '../test/simulators/silence.ts'
import type { Copy, Letter } from './provider.ts'
import { createSendgrid, type SendgridOptions } from './sendgrid.ts'

describe('SendGrid', () => {
  let sendgrid: SendgridSimulator
  beforeEach(async () => {
    sendgrid = await startSendgridSimulator()
  })
  afterEach(() => sendgrid.close())

  const provider = (options: Partial<SendgridOptions> = {}) =>
    createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url, ...options })

  const send = (letter?: Letter, copy?: Copy, options: Partial<SendgridOptions> = {}) =>
    sendOne(provider(options), letter, copy)

  const bodyOf = (call: number) => JSON.parse(sendgrid.calls[call]?.body ?? 'null')

  it('is handed the whole mail, and the id of its call is the outcome', async () => {
    const copy = aFullCopy({ to: { name: 'Bob', address: 'bob@x.test' } })
    const letter = aFullLetter()
    expect(await send(letter, copy)).toEqual({ kind: 'accepted', id: sendgrid.ledger[0]?.callId })
    expect(bodyOf(0)).toEqual({
      personalizations: [
        {
          to: [{ email: 'bob@x.test', name: 'Bob' }],
          headers: { 'X-Own': '1' },
          custom_args: { mid: '0192ab-c_d' },
        },
      ],
      from: { email: 'mail@postrider.localhost', name: 'Ann "A" O\'Hara, Ltd.' },
      reply_to: { email: 'ann@corp.test' },
      subject: letter.subject,
      content: [
        { type: 'text/plain', value: letter.text },
        { type: 'text/html', value: letter.html },
      ],
      headers: letter.headers,
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
        subscription_tracking: { enable: false },
        ganalytics: { enable: false },
      },
    })
    expect(sendgrid.calls[0]?.headers).toMatchObject({
      'user-agent': 'Postrider',
      accept: 'application/json',
    })
  })

  it.each([
    ['no text', { text: '' }, ['text/html']],
    ['no HTML', { html: '' }, ['text/plain']],
    ['nothing', { text: '', html: '' }, ['text/plain']],
  ])('takes a letter that holds %s', async (_, parts, types) => {
    expect(await send(aLetter(parts))).toMatchObject({ kind: 'accepted' })
    expect(bodyOf(0).content.map(({ type }: { type: string }) => type)).toEqual(types)
  })

  it.each([
    ['Hara, Ann; B.', 'Hara Ann B.'],
    [' ;, ', undefined],
    ['', undefined],
  ])('takes a recipient called %j', async (name, sent) => {
    expect(await send(aLetter(), aCopy({ to: { name, address: 'ann@x.test' } }))).toMatchObject({
      kind: 'accepted',
    })
    expect(bodyOf(0).personalizations[0].to).toEqual([{ email: 'ann@x.test', ...(sent && { name: sent }) }])
  })

  it('takes domains and headers in any script', async () => {
    const letter = aLetter({ replyTo: 'ann@bücher.test', headers: { 'X-City': 'Zürich' } })
    expect(await send(letter, aCopy({ to: 'bob@bücher.test' }))).toMatchObject({ kind: 'accepted' })
    expect(bodyOf(0)).toMatchObject({
      personalizations: [{ to: [{ email: 'bob@xn--bcher-kva.test' }] }],
      reply_to: { email: 'ann@xn--bcher-kva.test' },
      headers: { 'X-City': '=?UTF-8?B?WsO8cmljaA==?=' },
    })
  })

  it.each([
    [400, 'rejected'],
    [415, 'rejected'],
    [422, 'rejected'],
    [401, 'try-later'],
    [403, 'try-later'],
    [404, 'try-later'],
    [405, 'try-later'],
    [406, 'try-later'],
    [408, 'try-later'],
    [413, 'rejected'],
    [302, 'try-later'],
    [503, 'try-later'],
    [500, 'unknown'],
    [502, 'unknown'],
    [504, 'unknown'],
  ])('takes %i as %s, in its words', async (status, kind) => {
    sendgrid.lieNext({ kind: 'answer', status, message: 'Because of this.', when: 'before' })
    const outcome = await send()
    expect(outcome).toMatchObject({ kind, reason: `SendGrid answered ${status}: Because of this.` })
    if (outcome.kind === 'try-later') expect(outcome.about).toBe('account')
    expect(sendgrid.calls).toHaveLength(1)
  })

  it('waits after 429 until the moment that it is told, on the clock of who told it', async () => {
    sendgrid.lieNext({ kind: 'rate-limit', retryAfter: 7 })
    const outcome = await send(aLetter(), aCopy(), { now: () => new Date('2020-01-01') })
    expect(outcome).toMatchObject({ kind: 'try-later', about: 'account' })
    const { afterMs } = outcome as { afterMs: number }
    expect(afterMs).toBeGreaterThanOrEqual(7000)
    expect(afterMs).toBeLessThanOrEqual(9000)
  })

  it.each([
    [{ 'x-ratelimit-reset': '1700000030' }, 30_000],
    [{ 'x-ratelimit-reset': '1700000030', 'retry-after': '9' }, 9_000],
    [{ 'x-ratelimit-reset': '1699999000' }, 1_000],
    [{ 'x-ratelimit-reset': '9999999999' }, 24 * 3_600_000],
    [{ 'x-ratelimit-reset': 'soon' }, null],
    [{}, null],
  ])('waits after 429 with %j', async (headers, afterMs) => {
    const fetch = async () =>
      new Response('{"errors":[{"message":"too many requests"}]}', { status: 429, headers })
    const outcome = await send(aLetter(), aCopy(), { fetch, now: () => new Date(1_700_000_000_000) })
    expect(outcome).toMatchObject({ kind: 'try-later', afterMs, about: 'account' })
  })

  it('keeps the mail for later when the key is wrong, and never shows a key', async () => {
    expect(await send(aLetter(), aCopy(), { apiKey: 'SG.wrong' })).toMatchObject({
      kind: 'try-later',
      about: 'account',
      reason: 'SendGrid answered 401: The provided authorization grant is invalid, expired, or revoked',
    })
    expect(await send(aLetter(), aCopy(), { apiKey: 'SG.with\nbreak' })).toMatchObject({
      kind: 'try-later',
      about: 'account',
    })
    sendgrid.lieNext({
      kind: 'answer',
      status: 400,
      message: `Bearer ${sendgrid.apiKey}\nno`,
      when: 'before',
    })
    expect(await send()).toMatchObject({ kind: 'rejected', reason: 'SendGrid answered 400: Bearer … no' })
  })

  it('keeps the mail until its sender is verified, and says how', async () => {
    const outcome = await send(aLetter({ from: { name: '', address: 'me@other.test' } }))
    expect(outcome).toMatchObject({ kind: 'try-later', about: 'account' })
    expect('reason' in outcome && outcome.reason).toMatch(
      /^SendGrid does not send from me@other\.test yet: verify this address or its domain there, under Settings/,
    )
    expect('reason' in outcome && outcome.reason).toContain(
      'SendGrid answered 403: The from address does not match',
    )
  })

  it('does not know after a reset or silence, and never calls again by itself', async () => {
    sendgrid.lieNext({ kind: 'reset', when: 'after' }, { kind: 'reset', when: 'before' })
    expect(await send()).toMatchObject({ kind: 'unknown' })
    expect(await send()).toMatchObject({ kind: 'unknown' })
    const outcome = await inSilence(sendgrid, 50, () => send(aLetter(), aCopy(), { timeoutMs: 50 }))
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(sendgrid.calls).toHaveLength(3)
  })

  it('takes nothing once it is stopped, nor what the caller no longer wants', async () => {
    expect(await provider().send(aLetter(), [aCopy()], AbortSignal.abort())).toMatchObject([
      { kind: 'try-later', about: 'mail' },
    ])
    expect(await provider().send(aLetter(), [aCopy()], UNSTOPPED, () => false)).toEqual([
      { kind: 'not-begun' },
    ])
    expect(sendgrid.calls).toHaveLength(0)
  })

  it.each(['127.0.0.1', 'nobody.invalid'])('tries later when nobody answers at %s', async (host) => {
    await sendgrid.close()
    const baseUrl = new URL(`http://${host}:${sendgrid.url.port}`)
    expect(await send(aLetter(), aCopy(), { baseUrl })).toMatchObject({ kind: 'try-later', about: 'account' })
  })

  it('says sent only of what SendGrid said it took', async () => {
    const answers = (status: number, headers = {}) => ({
      fetch: async () => new Response(null, { status, headers }),
    })
    expect(await send(aLetter(), aCopy(), answers(202, { 'x-message-id': 'a' }))).toEqual({
      kind: 'accepted',
      id: 'a',
    })
    expect(await send(aLetter(), aCopy(), answers(202))).toEqual({ kind: 'accepted', id: '' })
    expect(await send(aLetter(), aCopy(), answers(200, { 'x-message-id': 'a' }))).toMatchObject({
      kind: 'unknown',
    })
  })

  it('does not lose the mail by a refusal in words that are not its own', async () => {
    const page = (status: number) => ({ fetch: async () => new Response('<html>Blocked</html>', { status }) })
    for (const status of [400, 403, 451])
      expect(await send(aLetter(), aCopy(), page(status))).toMatchObject({
        kind: 'try-later',
        about: 'account',
      })
    expect(await send(aLetter(), aCopy(), page(413))).toMatchObject({ kind: 'rejected' })
  })

  it('is known by its key, and repeats nothing', () => {
    const { identity, repeatableMs } = provider()
    expect(identity).toBe(provider({ baseUrl: new URL('http://elsewhere.test') }).identity)
    expect(identity).not.toBe(provider({ apiKey: 'SG.other' }).identity)
    expect(identity).not.toContain(sendgrid.apiKey)
    expect(repeatableMs).toBe(0)
  })
})
