import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aGroup, aLetter, kinds, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SendgridSimulator, startSendgridSimulator } from '../test/simulators/sendgrid.ts'
import type { Copy, Letter } from './provider.ts'
import { createSendgrid, type SendgridOptions } from './sendgrid.ts'

const times = (count: number, kind: string) => Array.from({ length: count }, () => kind)

describe('a group of copies', () => {
  let sendgrid: SendgridSimulator
  beforeEach(async () => {
    sendgrid = await startSendgridSimulator()
  })
  afterEach(() => sendgrid.close())

  const send = (
    copies: readonly Copy[],
    letter: Letter = aLetter(),
    options: Partial<SendgridOptions> & { mayBegin?: () => boolean; signal?: AbortSignal } = {},
  ) =>
    createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url, ...options }).send(
      letter,
      copies,
      options.signal ?? UNSTOPPED,
      options.mayBegin,
    )
  const reached = () => sendgrid.ledger.map(({ to }) => to)

  it('of ten thousand costs ten calls, and nobody sees another’s address', async () => {
    const copies = aGroup(10_000, (n) => ({ headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` } }))
    const outcomes = await send(copies)
    expect(sendgrid.calls).toHaveLength(10)
    expect(outcomes).toEqual(sendgrid.ledger.map(({ callId }) => ({ kind: 'accepted', id: callId })))
    expect(reached()).toEqual(copies.map(({ to }) => to.address))
    for (const n of [0, 999, 1000, 9999])
      expect(sendgrid.ledger[n]).toMatchObject({
        id: expect.stringMatching(`^${sendgrid.ledger[n]?.callId}\\.`),
        customArgs: { mid: `m${n}` },
        headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<https://x.test/u/${n}>` },
      })
    for (const { body } of sendgrid.calls)
      for (const { to } of JSON.parse(body).personalizations) expect(to).toHaveLength(1)
  })

  it('loses only the bad one of a thousand', async () => {
    const outcomes = await send(aGroup(1000, (n) => (n === 617 ? { to: 'p617@nodot' } : {})))
    expect(outcomes[617]).toEqual({
      kind: 'rejected',
      reason: 'SendGrid refused it: Does not contain a valid address.',
    })
    expect(kinds(outcomes.toSpliced(617, 1))).toEqual(times(999, 'accepted'))
    expect(new Set(reached()).size).toBe(999)
    expect(reached()).toHaveLength(999)
    expect(sendgrid.calls).toHaveLength(2)
  })

  it('loses all the bad ones at once, and every answer stands in its place', async () => {
    const bad = new Map([
      [0, { to: 'p0@nodot' }],
      [2, { to: 'two, three' }],
      [3, { to: 'p3@nodot' }],
    ])
    const outcomes = await send(aGroup(6, (n) => bad.get(n) ?? {}))
    expect(kinds(outcomes)).toEqual(['rejected', 'accepted', 'rejected', 'rejected', 'accepted', 'accepted'])
    expect(outcomes[2]).toMatchObject({ reason: 'The recipient is not one plain e-mail address' })
    expect(reached()).toEqual(['p1@x.test', 'p4@x.test', 'p5@x.test'])
    expect(sendgrid.calls).toHaveLength(2)
    expect(kinds(await send(aGroup(2, (n) => ({ to: `p${n}@nodot` }))))).toEqual(['rejected', 'rejected'])
    expect(sendgrid.calls).toHaveLength(3)
  })

  it('whose bad ones are named one at a time keeps the others safe for later', async () => {
    sendgrid.lieBy(() => ({
      kind: 'answer',
      status: 400,
      message: 'No.',
      field: 'personalizations.0.to.0.email',
      when: 'before',
    }))
    const outcomes = await send(aGroup(30))
    expect(sendgrid.calls).toHaveLength(21)
    expect(kinds(outcomes)).toEqual([...times(21, 'rejected'), ...times(9, 'try-later')])
    expect(outcomes[29]).toMatchObject({ about: 'mail' })
  })

  it('is in doubt without its bad ones when the second call gets no clear answer', async () => {
    sendgrid.lieNext(null, { kind: 'reset', when: 'after' })
    const outcomes = await send(aGroup(3, (n) => (n === 1 ? { to: 'p1@nodot' } : {})))
    expect(kinds(outcomes)).toEqual(['unknown', 'rejected', 'unknown'])
    expect(sendgrid.calls).toHaveLength(2)
  })

  it('asks once more before the second call', async () => {
    let asked = 0
    const copies = aGroup(3, (n) => (n === 1 ? { to: 'p1@nodot' } : {}))
    const paused = await send(copies, aLetter(), { mayBegin: () => ++asked === 1 })
    expect(kinds(paused)).toEqual(['not-begun', 'rejected', 'not-begun'])
    expect(sendgrid.calls).toHaveLength(1)
    const giveUp = new AbortController()
    const stopping = async (...call: Parameters<typeof fetch>) => {
      const answer = await fetch(...call)
      const text = await answer.text()
      giveUp.abort()
      return new Response(text, answer)
    }
    const stopped = await send(copies, aLetter(), { fetch: stopping, signal: giveUp.signal })
    expect(kinds(stopped)).toEqual(['try-later', 'rejected', 'try-later'])
    expect(sendgrid.ledger).toHaveLength(0)
  })

  it.each([
    [400, 'subject', 'rejected'],
    [400, 'personalizations', 'rejected'],
    [400, 'personalizations.7.to', 'rejected'],
    [400, null, 'rejected'],
    [401, null, 'try-later'],
    [403, 'from', 'try-later'],
    [503, null, 'try-later'],
    [502, null, 'unknown'],
  ])('shares the fate of its call: %i about %s is %s', async (status, field, kind) => {
    sendgrid.lieNext({ kind: 'answer', status, message: 'Because of this.', field, when: 'before' })
    const outcomes = await send(aGroup(2))
    expect(kinds(outcomes)).toEqual([kind, kind])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        reason: expect.stringContaining(
          `SendGrid answered ${status}: Because of this.${field ? ` (${field})` : ''}`,
        ),
      })
    expect(sendgrid.calls).toHaveLength(1)
  })

  it('that is too large goes in smaller ones', async () => {
    const tooLarge = { kind: 'answer', status: 413, message: 'Too large.', when: 'before' } as const
    sendgrid.lieNext(tooLarge, null, tooLarge)
    const outcomes = await send(aGroup(9))
    expect(kinds(outcomes)).toEqual(times(9, 'accepted'))
    expect(reached().toSorted()).toEqual(aGroup(9).map(({ to }) => to.address))
    expect(
      sendgrid.ledger.map(({ callId }) => callId).filter((id, at, ids) => ids.indexOf(id) === at),
    ).toHaveLength(5)
  })

  it('of a letter that is too large for anyone is refused in two calls', { tags: 'thorough' }, async () => {
    const outcomes = await send(aGroup(1000).toReversed(), aLetter({ html: 'x'.repeat(30_000_000) }))
    expect(kinds(outcomes)).toEqual(times(1000, 'rejected'))
    expect(outcomes[999]).toMatchObject({ reason: expect.stringContaining('SendGrid answered 413') })
    expect(sendgrid.calls).toHaveLength(2)
    expect(sendgrid.ledger).toHaveLength(0)
  })

  it('of a long letter goes out in several calls, and in no further one once it was told to wait', {
    tags: 'thorough',
  }, async () => {
    const long = aLetter({ html: 'x'.repeat(19_000_000) })
    const copies = aGroup(1000, (n) => ({ headers: { 'X-Own': `${n} ${'y'.repeat(3_000)}` } }))
    sendgrid.lieNext(null, { kind: 'rate-limit', retryAfter: 9 })
    const outcomes = await send(copies, long)
    const [first, second] = sendgrid.calls
    expect(sendgrid.calls).toHaveLength(2)
    for (const call of [first, second]) expect(call?.body.length).toBeLessThanOrEqual(20_000_100)
    const taken = sendgrid.ledger.length
    expect(taken).toBeGreaterThan(250)
    expect(kinds(outcomes)).toEqual([...times(taken, 'accepted'), ...times(1000 - taken, 'try-later')])
    expect(outcomes[999]).toMatchObject({ about: 'account', afterMs: expect.any(Number) })
  })
})
