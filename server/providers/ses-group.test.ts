import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aCopy, aGroup, aLetter, kinds, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SesSimulator, type SesSimulatorOptions, startSesSimulator } from '../test/simulators/ses.ts'
import type { Copy, Letter } from './provider.ts'
import { createSes, type SesOptions } from './ses.ts'

const all = (size: number, kind: string) => Array.from({ length: size }, () => kind)

describe('a group of copies', () => {
  let ses: SesSimulator
  const restart = async (options: SesSimulatorOptions) => {
    await ses.close()
    ses = await startSesSimulator(options)
  }
  beforeEach(async () => {
    ses = await startSesSimulator()
  })
  afterEach(() => ses.close())

  const aProvider = (options: Partial<SesOptions> = {}) => createSes({ ...ses, baseUrl: ses.url, ...options })
  const send = (copies: readonly Copy[], letter: Letter = aLetter(), options: Partial<SesOptions> = {}) =>
    aProvider(options).send(letter, copies, UNSTOPPED)
  const sizes = () => ses.calls.map(({ body }) => JSON.parse(body).BulkEmailEntries.length)

  it('is one call to Amazon, and each copy has its own address, tag, headers and id', async () => {
    const copies = aGroup(50, (n) => ({ headers: { 'List-Unsubscribe': `<https://x.test/u/${n}>` } }))
    const outcomes = await send(copies)
    expect(ses.calls.map(({ path }) => path)).toEqual(['/v2/email/outbound-bulk-emails'])
    expect(outcomes).toEqual(ses.ledger.map(({ id }) => ({ kind: 'accepted', id })))
    expect(new Set(ses.ledger.map(({ id }) => id)).size).toBe(50)
    for (const n of [0, 23, 49])
      expect(ses.ledger[n]?.mail).toMatchObject({
        to: [`p${n}@x.test`],
        headers: {
          'Auto-Submitted': 'auto-generated',
          'List-Unsubscribe': `<https://x.test/u/${n}>`,
          'X-Postrider-Id': `m${n}`,
        },
        tags: { mid: `m${n}` },
      })
  })

  it('of ten thousand costs two hundred calls, and the letter is written out once', {
    tags: 'thorough',
  }, async () => {
    const provider = aProvider()
    const letter = aLetter({ html: `<p>${'x'.repeat(20_000)}</p>` })
    const copies = aGroup(10_000)
    for (let from = 0; from < copies.length; from += provider.batchMax)
      await provider.send(letter, copies.slice(from, from + provider.batchMax), UNSTOPPED)
    expect(ses.calls).toHaveLength(200)
    expect(new Set(ses.ledger.map(({ mail }) => mail.to[0])).size).toBe(10_000)
    expect(ses.calls[7]?.body.length).toBeLessThan(45_000)
    expect(ses.questions()).toBe(1)
  })

  it('loses only the bad ones, and every answer stands in its place', async () => {
    const bad = new Map([
      [0, { to: 'p0@nodot' }],
      [2, { to: 'two, three' }],
      [3, { to: 'jörg@x.test' }],
    ])
    const outcomes = await send(aGroup(6, (n) => bad.get(n) ?? {}))
    expect(kinds(outcomes)).toEqual(['rejected', 'accepted', 'rejected', 'rejected', 'accepted', 'accepted'])
    expect(outcomes[0]).toMatchObject({
      reason: 'Amazon SES refused it: Missing final @domain or illegal address',
    })
    const ids = new Map(ses.ledger.map(({ id, mail }) => [mail.to[0], id]))
    for (const n of [1, 4, 5]) expect(outcomes[n]).toEqual({ kind: 'accepted', id: ids.get(`p${n}@x.test`) })
    expect(ses.ledger).toHaveLength(3)
    expect(ses.calls).toHaveLength(1)
  })

  it('is taken apart when Amazon refuses all for the sake of one, who fails alone', async () => {
    await restart({ badAddresses: 'refuse-call' })
    const outcomes = await send(aGroup(50, (n) => (n === 17 ? { to: 'p17@nodot' } : {})))
    expect(outcomes.map(({ kind }, n) => [n, kind]).filter(([, kind]) => kind !== 'accepted')).toEqual([
      [17, 'rejected'],
    ])
    expect(new Set(ses.ledger.map(({ mail }) => mail.to[0])).size).toBe(49)
    expect(ses.ledger).toHaveLength(49)
    expect(ses.calls.length).toBeLessThan(15)
  })

  it('is not taken apart for ever: with very many bad ones the rest is tried later, and nobody twice', async () => {
    await restart({ badAddresses: 'refuse-call' })
    const outcomes = await send(aGroup(50, () => ({ to: 'p@nodot' })))
    expect(new Set(kinds(outcomes))).toEqual(new Set(['rejected', 'try-later']))
    expect(outcomes.find(({ kind }) => kind === 'try-later')).toMatchObject({ about: 'mail', afterMs: null })
    expect(ses.calls.length).toBeLessThan(30)
    expect(ses.ledger).toHaveLength(0)
  })

  it.each([
    ['MESSAGE_REJECTED', 'rejected', undefined, undefined],
    ['INVALID_PARAMETER', 'rejected', undefined, undefined],
    ['TRANSIENT_FAILURE', 'try-later', 'mail', null],
    ['FAILED', 'try-later', 'mail', null],
    ['ACCOUNT_THROTTLED', 'try-later', 'account', 1000],
    ['ACCOUNT_DAILY_QUOTA_EXCEEDED', 'try-later', 'account', 3_600_000],
    ['MAIL_FROM_DOMAIN_NOT_VERIFIED', 'try-later', 'account', null],
    ['ACCOUNT_SUSPENDED', 'try-later', 'account', null],
    ['ACCOUNT_SENDING_PAUSED', 'try-later', 'account', null],
    ['CONFIGURATION_SET_NOT_FOUND', 'try-later', 'account', null],
    ['CONFIGURATION_SET_SENDING_PAUSED', 'try-later', 'account', null],
    ['TEMPLATE_NOT_FOUND', 'try-later', 'account', null],
    ['INVALID_SENDING_POOL_NAME', 'try-later', 'account', null],
    ['SOMETHING_NEW', 'unknown', undefined, undefined],
  ])('takes %s of one copy as %s, and the others are sent', async (Status, kind, about, afterMs) => {
    ses.lieNext({ kind: 'entries', results: { 1: { Status, Error: 'Because of this.' } } })
    const outcomes = await send(aGroup(3))
    expect(kinds(outcomes)).toEqual(['accepted', kind, 'accepted'])
    expect(outcomes[1]).toMatchObject({ reason: expect.stringContaining('Because of this') })
    if (about) expect(outcomes[1]).toMatchObject({ about, afterMs })
    expect(ses.ledger).toHaveLength(2)
  })

  it('in the sandbox loses those who are not verified, in words that say so', async () => {
    await restart({ isSandbox: true })
    const outcomes = await send(aGroup(2, (n) => (n === 0 ? { to: 'a@postrider.localhost' } : {})))
    expect(outcomes).toMatchObject([
      { kind: 'accepted' },
      { kind: 'rejected', reason: expect.stringContaining('not verified') },
    ])
  })

  it.each([
    [400, 'AccountSuspendedException', 'try-later'],
    [403, 'AccessDeniedException', 'try-later'],
    [429, 'TooManyRequestsException', 'try-later'],
    [503, 'ServiceUnavailableException', 'try-later'],
    [502, '', 'unknown'],
  ])('shares the fate of its call: %i %s is %s', async (status, type, kind) => {
    ses.lieNext({ kind: 'answer', status, type, message: 'Because of this.', when: 'before' })
    expect(kinds(await send(aGroup(3)))).toEqual(all(3, kind))
    expect(ses.calls).toHaveLength(1)
  })

  it.each([
    ['too few results', { BulkEmailEntryResults: [{ Status: 'SUCCESS', MessageId: 'a' }] }],
    [
      'too many results',
      { BulkEmailEntryResults: ['a', 'b', 'c', 'd'].map((MessageId) => ({ Status: 'SUCCESS', MessageId })) },
    ],
    ['no list', { BulkEmailEntryResults: {} }],
    ['a single id', { MessageId: 'a' }],
    ['nothing', null],
  ])('is in doubt as a whole when the answer holds %s', async (_, body) => {
    const answers: typeof fetch = async (input, init) =>
      init?.method === 'POST' ? Response.json(body) : fetch(input, init)
    expect(kinds(await send(aGroup(3), aLetter(), { fetch: answers }))).toEqual(all(3, 'unknown'))
  })

  it('is in doubt where one has no id', async () => {
    ses.lieNext({ kind: 'entries', results: { 1: { Status: 'SUCCESS' } } })
    expect(kinds(await send(aGroup(3)))).toEqual(['accepted', 'unknown', 'accepted'])
  })

  it('of a letter too long for a template goes out one by one', async () => {
    const long = aLetter({ html: `{{x}}${'x'.repeat(1_000_000)}` })
    ses.lieNext(null, { kind: 'reset', when: 'after' }, null)
    expect(kinds(await send(aGroup(3), long))).toEqual(['accepted', 'unknown', 'accepted'])
    expect(new Set(ses.calls.map(({ path }) => path))).toEqual(new Set(['/v2/email/outbound-emails']))
    expect(ses.ledger.every(({ mail }) => mail.html === long.html)).toBe(true)
    ses.lieNext(null, { kind: 'throttle' })
    expect(kinds(await send(aGroup(3), long))).toEqual(['accepted', 'try-later', 'try-later'])
    expect(ses.calls).toHaveLength(5)
    expect(await send([aCopy({ to: 'p@nodot' })], long)).toMatchObject([{ kind: 'rejected' }])
  })

  it('asks before every call whether it may still begin', async () => {
    await restart({ maxSendRate: 1 })
    const provider = aProvider()
    // A send waits only for a moment until the rate is known; a check, however long it takes.
    expect(await provider.check(UNSTOPPED)).toBeNull()
    let asked = 0
    const outcomes = await provider.send(aLetter(), aGroup(9), UNSTOPPED, () => ++asked <= 2)
    expect(sizes()).toEqual([4, 4])
    expect(kinds(outcomes)).toEqual([...all(8, 'accepted'), 'not-begun'])
  })
})
