import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aGroup, aLetter, kinds, UNSTOPPED } from '../test/simulators/a-mail.ts'
import {
  type MailgunSimulator,
  type MailgunSimulatorOptions,
  startMailgunSimulator,
} from '../test/simulators/mailgun.ts'
import { createMailgun } from './mailgun.ts'
import type { Copy, Letter } from './provider.ts'

const badAt = (...places: number[]) => {
  const bad = new Set(places)
  return (n: number) => (bad.has(n) ? { to: `p${n}@nodot` } : {})
}

describe('a group of copies', () => {
  let mailgun: MailgunSimulator
  const restart = async (options: MailgunSimulatorOptions) => {
    await mailgun.close()
    mailgun = await startMailgunSimulator(options)
  }
  beforeEach(async () => {
    mailgun = await startMailgunSimulator()
  })
  afterEach(() => mailgun.close())

  const send = (copies: readonly Copy[], letter: Letter = aLetter(), mayBegin?: () => boolean) =>
    createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url }).send(letter, copies, UNSTOPPED, mayBegin)
  const takenTimes = () => {
    const times = new Map<string, number>()
    for (const { recipient } of mailgun.ledger) times.set(recipient, (times.get(recipient) ?? 0) + 1)
    return times
  }

  it('of a thousand is one call, and each copy has its own address, tag and headers', async () => {
    const copies = aGroup(1000, (n) => ({ headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` } }))
    const outcomes = await send(copies)
    expect(mailgun.calls).toHaveLength(1)
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ kind: 'accepted', id: mailgun.ledger[0]?.id })]),
    )
    for (const n of [0, 57, 999])
      expect(mailgun.ledger[n]).toMatchObject({
        recipient: `p${n}@x.test`,
        mail: {
          to: [`p${n}@x.test`],
          headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` },
          variables: { mid: `m${n}` },
        },
      })
  })

  it('of ten thousand is ten calls, and asks for the domain once', { tags: 'thorough' }, async () => {
    const provider = createMailgun({ apiKey: mailgun.apiKey, baseUrl: mailgun.url })
    const copies = aGroup(10_000)
    const starts = Array.from({ length: 10 }, (_, n) => n * 1000)
    await Promise.all(
      starts.map((start) => provider.send(aLetter(), copies.slice(start, start + 1000), UNSTOPPED)),
    )
    expect(mailgun.calls).toHaveLength(10)
    expect(mailgun.questions).toHaveLength(1)
    expect(takenTimes().size).toBe(10_000)
  })

  it.each([1, 2])('of %i never shows one recipient to another', async (size) => {
    await send(aGroup(size))
    expect(mailgun.calls[0]?.fields.map(([name]) => name)).toContain('recipient-variables')
    for (const { mail, recipient } of mailgun.ledger) expect(mail.to).toEqual([recipient])
  })

  it('gives two spellings of one address their own parts, in calls of their own', async () => {
    const spellings = ['ann@x.test', 'Ann@x.test', 'bob@x.test', 'ANN@x.test']
    await send(aGroup(4, (n) => ({ to: spellings[n] ?? '', headers: { 'X-N': String(n) } })))
    expect(mailgun.calls).toHaveLength(3)
    const parts = mailgun.ledger.map(({ recipient, mail }) => [
      recipient,
      mail.variables['mid'],
      mail.headers['X-N'],
    ])
    expect(parts.toSorted()).toEqual(spellings.map((to, n) => [to, `m${n}`, String(n)]).toSorted())
  })

  it('gives each copy exactly its own headers, also where their names differ', async () => {
    const headers = [{ 'X-A': '1' }, {}, { 'X-A': '3', 'X-B': '4' }]
    await send(
      aGroup(3, (n) => ({ headers: headers[n] ?? {} })),
      aLetter({ headers: {} }),
    )
    const arrived = new Map(mailgun.ledger.map(({ recipient, mail }) => [recipient, mail.headers]))
    for (const [n, own] of headers.entries()) expect(arrived.get(`p${n}@x.test`)).toEqual(own)
  })

  it('finds its variables by the very address that it goes to', async () => {
    const hard = ["o'neil+tag@x.test", 'a{b}@x.test', 'ann@bücher.test', 'ünï@x.test']
    await send(aGroup(4, (n) => ({ to: { name: 'A "B"', address: hard[n] ?? '' } })))
    expect(mailgun.ledger.map(({ mail }) => mail.variables['mid'])).toEqual(['m0', 'm1', 'm2', 'm3'])
    expect(mailgun.ledger[2]?.recipient).toBe('ann@xn--bcher-kva.test')
  })

  it('loses only the bad ones that Mailgun names', async () => {
    const outcomes = await send(aGroup(1000, badAt(0, 500, 999)))
    expect(outcomes.flatMap(({ kind }, n) => (kind === 'rejected' ? [n] : []))).toEqual([0, 500, 999])
    expect(outcomes[500]).toMatchObject({
      reason: 'Mailgun answered 400: to parameter is not a valid address: p500@nodot',
    })
    expect(mailgun.calls).toHaveLength(4)
    expect([...takenTimes().values()].every((times) => times === 1)).toBe(true)
    expect(mailgun.ledger).toHaveLength(997)
  })

  it('loses only the bad ones that Mailgun does not name, in a number of calls that stays small', async () => {
    await restart({ namesBadAddress: false })
    const outcomes = await send(aGroup(1000, badAt(3, 700)))
    expect(outcomes.flatMap(({ kind }, n) => (kind === 'rejected' ? [n] : []))).toEqual([3, 700])
    expect(kinds(outcomes).filter((kind) => kind === 'accepted')).toHaveLength(998)
    expect(mailgun.ledger).toHaveLength(998)
    expect([...takenTimes().values()].every((times) => times === 1)).toBe(true)
    expect(mailgun.calls.length).toBeLessThan(50)
  })

  it('of which half is bad ends its search, keeps the rest for later and repeats nobody', async () => {
    await restart({ namesBadAddress: false })
    const outcomes = await send(aGroup(400, (n) => (n % 2 === 0 ? { to: `p${n}@nodot` } : {})))
    expect(mailgun.calls.length).toBeLessThanOrEqual(101)
    expect(new Set(kinds(outcomes))).toEqual(new Set(['accepted', 'rejected', 'try-later']))
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.kind === 'rejected') expect(n % 2).toBe(0)
      if (outcome.kind === 'try-later') expect(outcome.about).toBe('mail')
      expect(takenTimes().get(`p${n}@x.test`) ?? 0).toBe(outcome.kind === 'accepted' ? 1 : 0)
    }
  })

  it('does not take an echo of everyone for the name of the bad one', async () => {
    const message = "'to' parameter is not a valid address: p0@x.test, p1@x.test"
    mailgun.lieNext({ kind: 'answer', status: 400, message, when: 'before' })
    expect(kinds(await send(aGroup(2)))).toEqual(['accepted', 'accepted'])
    const other = "'to' parameter is not a valid address: xp0@x.test and p0@x.test.example"
    mailgun.lieNext({ kind: 'answer', status: 400, message: other, when: 'before' })
    expect(kinds(await send(aGroup(2)))).toEqual(['accepted', 'accepted'])
  })

  it('makes no further call once it was told to wait, in the middle of a search too', async () => {
    await restart({ namesBadAddress: false })
    mailgun.lieNext(null, { kind: 'rate-limit', seconds: 9 })
    const outcomes = await send(aGroup(8, badAt(7)))
    expect(outcomes).toMatchObject(Array(8).fill({ kind: 'try-later', afterMs: 9000, about: 'account' }))
    expect(mailgun.calls).toHaveLength(2)
  })

  it('is in doubt only where its call is: the halves of a search have fates of their own', async () => {
    await restart({ namesBadAddress: false })
    mailgun.lieNext(null, { kind: 'reset', when: 'after' })
    const outcomes = await send(aGroup(4, badAt(3)))
    expect(kinds(outcomes)).toEqual(['unknown', 'unknown', 'accepted', 'rejected'])
    expect([...takenTimes().values()].every((times) => times === 1)).toBe(true)
  })

  it('stops in the middle of a search when it is no longer wanted', async () => {
    await restart({ namesBadAddress: false })
    let asked = 0
    const outcomes = await send(aGroup(4, badAt(0)), aLetter(), () => ++asked < 3)
    expect(kinds(outcomes)).toContain('not-begun')
    expect(mailgun.calls).toHaveLength(2)
  })

  it.each([
    [422, 'rejected'],
    [401, 'try-later'],
    [402, 'try-later'],
    [503, 'try-later'],
    [502, 'unknown'],
  ])('shares the fate of its call: %i is %s', async (status, kind) => {
    mailgun.lieNext({ kind: 'answer', status, message: 'Because of this', when: 'before' })
    expect(kinds(await send(aGroup(3)))).toEqual([kind, kind, kind])
    expect(mailgun.calls).toHaveLength(1)
  })

  it('too large for one call is sent in halves, unless the letter itself is too large', async () => {
    const tooLarge = { kind: 'answer', status: 413, message: 'Too large', when: 'before' } as const
    mailgun.lieNext(tooLarge)
    const long = aGroup(100, () => ({ headers: { 'X-Long': 'y'.repeat(900) } }))
    expect(new Set(kinds(await send(long)))).toEqual(new Set(['accepted']))
    expect(mailgun.calls).toHaveLength(3)
    mailgun.lieNext(tooLarge)
    const letter = aLetter({ html: 'x'.repeat(1_000_000) })
    expect(new Set(kinds(await send(aGroup(100), letter)))).toEqual(new Set(['rejected']))
    expect(mailgun.calls).toHaveLength(4)
  })

  it('with much of its own goes out in several calls of a modest size', async () => {
    const own = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`X-${n}`, 'y'.repeat(900)]))
    const outcomes = await send(aGroup(800, () => ({ headers: own })))
    expect(new Set(kinds(outcomes))).toEqual(new Set(['accepted']))
    expect(mailgun.calls).toHaveLength(3)
  })
})
