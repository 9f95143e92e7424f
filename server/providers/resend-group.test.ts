import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aGroup, aLetter, kinds, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import type { Copy, Letter } from './provider.ts'
import { createResend, type ResendOptions } from './resend.ts'

describe('a group of copies', () => {
  let resend: ResendSimulator
  beforeEach(async () => {
    resend = await startResendSimulator()
  })
  afterEach(() => resend.close())

  const send = (copies: readonly Copy[], letter: Letter = aLetter(), options: Partial<ResendOptions> = {}) =>
    createResend({ apiKey: resend.apiKey, baseUrl: resend.url, ...options }).send(letter, copies, UNSTOPPED)

  it('is one call to Resend, and each copy has its own address, tag, headers and id', async () => {
    const copies = aGroup(100, (n) => ({ headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` } }))
    const outcomes = await send(copies)
    expect(resend.calls.map(({ path }) => path)).toEqual(['/emails/batch'])
    expect(outcomes).toEqual(resend.ledger.map(({ id }) => ({ kind: 'accepted', id })))
    for (const n of [0, 57, 99])
      expect(resend.ledger[n]?.mail).toEqual({
        from: 'Postrider <mail@postrider.localhost>',
        to: [`p${n}@x.test`],
        subject: 'Your code',
        text: aLetter().text,
        html: aLetter().html,
        headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<https://x.test/u/${n}>` },
        tags: [{ name: 'mid', value: `m${n}` }],
      })
  })

  it('is asked about before every call, the first included', async () => {
    const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
    const outcomes = await provider.send(aLetter(), aGroup(2), UNSTOPPED, () => false)
    expect(outcomes).toEqual([{ kind: 'not-begun' }, { kind: 'not-begun' }])
    expect(resend.calls).toEqual([])
  })

  it('loses only the bad ones, and every answer stands in its place', async () => {
    const bad = new Map([
      [0, { to: 'p0@nodot' }],
      [2, { to: 'two, three' }],
      [3, { to: 'p3@nodot' }],
    ])
    const outcomes = await send(aGroup(6, (n) => bad.get(n) ?? {}))
    expect(kinds(outcomes)).toEqual(['rejected', 'accepted', 'rejected', 'rejected', 'accepted', 'accepted'])
    expect(outcomes[0]).toMatchObject({ reason: expect.stringContaining('Resend refused it: The `to') })
    expect(outcomes[2]).toMatchObject({ reason: 'The recipient is not one plain e-mail address' })
    const ids = new Map(resend.ledger.map(({ id, mail }) => [mail.to[0], id]))
    for (const n of [1, 4, 5]) expect(outcomes[n]).toEqual({ kind: 'accepted', id: ids.get(`p${n}@x.test`) })
    expect(resend.ledger).toHaveLength(3)
  })

  it('keeps for later what is refused for the domain that is not verified: no recipient is to blame', async () => {
    const refused = {
      index: 1,
      message: 'The x.test domain is not verified. Please, add and verify your domain',
    }
    const fetch = async () => Response.json({ data: [{ id: 'a' }], errors: [refused] })
    expect(await send(aGroup(2), aLetter(), { fetch })).toMatchObject([
      { kind: 'accepted' },
      {
        kind: 'try-later',
        about: 'account',
        reason: expect.stringContaining('. Verify the domain of the sender'),
      },
    ])
  })

  it('has one key, made of the keys of its copies, and the same bytes on every try', async () => {
    resend.lieNext(
      { kind: 'reset', when: 'after' },
      { kind: 'answer', status: 500, name: 'x', message: 'x', when: 'after' },
    )
    expect(kinds(await send(aGroup(3)))).toEqual(['unknown', 'unknown', 'unknown'])
    expect(kinds(await send(aGroup(3)))).toEqual(['unknown', 'unknown', 'unknown'])
    expect(await send(aGroup(3))).toEqual(resend.ledger.map(({ id }) => ({ kind: 'accepted', id })))
    expect(resend.ledger).toHaveLength(3)
    const key = `group/${createHash('sha256').update('["k0","k1","k2"]').digest('hex')}`
    expect(new Set(resend.calls.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set([key]))
    expect(new Set(resend.calls.map(({ body }) => body)).size).toBe(1)
    await send(aGroup(3).toReversed())
    await send(aGroup(2))
    expect(new Set(resend.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
  })

  it('of one is a single mail under its own key', async () => {
    const outcomes = await send(aGroup(2, (n) => (n === 0 ? { to: 'none' } : {})))
    expect(kinds(outcomes)).toEqual(['rejected', 'accepted'])
    expect(resend.calls).toMatchObject([{ path: '/emails', idempotencyKey: 'k1' }])
    expect(resend.calls[0]?.headers['x-batch-validation']).toBeUndefined()
  })

  it.each([
    [422, 'invalid_from_address', 'rejected'],
    [403, 'validation_error', 'rejected'],
    [400, 'invalid_idempotency_key', 'rejected'],
    [401, 'missing_api_key', 'try-later'],
    [503, 'service_unavailable', 'try-later'],
    [409, 'concurrent_idempotent_requests', 'unknown'],
    [502, 'bad_gateway', 'unknown'],
  ])('shares the fate of its call: %i %s is %s', async (status, name, kind) => {
    resend.lieNext({ kind: 'answer', status, name, message: 'Because of this.', when: 'before' })
    const reason = `Resend answered ${status}: Because of this.`
    expect(await send(aGroup(2))).toMatchObject([
      { kind, reason },
      { kind, reason },
    ])
    expect(resend.calls).toHaveLength(1)
  })

  it.each([
    ['too few ids', { data: [{ id: 'a' }, { id: 'b' }] }],
    ['too many ids', { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] }],
    ['an id for a refused one', { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], errors: [{ index: 1 }] }],
    ['an error twice', { data: [{ id: 'a' }], errors: [{ index: 1 }, { index: 1 }] }],
    ['an error for nobody', { data: [{ id: 'a' }, { id: 'b' }], errors: [{ index: 3 }] }],
    ['an empty id', { data: [{ id: 'a' }, { id: '' }, { id: 'c' }] }],
    ['no list', { data: {} }],
    ['one mail', { id: 'a' }],
  ])('is in doubt as a whole when the answer holds %s', async (_, body) => {
    const fetch = async () => Response.json(body)
    expect(kinds(await send(aGroup(3), aLetter(), { fetch }))).toEqual(['unknown', 'unknown', 'unknown'])
  })

  it('of a long letter is for fewer at once', async () => {
    const { copiesPerCall } = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
    expect(copiesPerCall?.(aLetter())).toBe(100)
    expect(copiesPerCall?.(aLetter({ html: 'x'.repeat(3_500_000) }))).toBe(2)
    expect(copiesPerCall?.(aLetter({ html: 'x'.repeat(9_000_000) }))).toBe(1)
  })

  it('is asked about again as one although its letter is longer by then: nobody gets a second mail', async () => {
    resend.lieNext({ kind: 'answer', status: 500, name: 'x', message: 'x', when: 'after' })
    await send(aGroup(100), aLetter({ html: 'x'.repeat(79_000) }))
    await send(aGroup(100), aLetter({ html: 'x'.repeat(81_000) }))
    expect(new Set(resend.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(resend.ledger.map(({ mail }) => mail.to)).toEqual(aGroup(100).map(({ to }) => [to.address]))
  })
})

it('stands in the simulator’s file before its answer is heard, whatever that says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-ledger-'))
  const ledgerFile = join(folder, 'ledger.jsonl')
  const resend = await startResendSimulator({ ledgerFile })
  const provider = createResend({ apiKey: resend.apiKey, baseUrl: resend.url })
  resend.lieNext(null, { kind: 'reset', when: 'after' })
  await provider.send(aLetter(), aGroup(3), UNSTOPPED)
  await provider.send(aLetter(), aGroup(1), UNSTOPPED)
  const lines = (await readFile(ledgerFile, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(resend.ledger)
  expect(lines).toHaveLength(4)
  await resend.close()
  await rm(folder, { recursive: true })
})
