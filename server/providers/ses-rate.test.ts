import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { aGroup, aLetter, kinds, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SesSimulator, type SesSimulatorOptions, startSesSimulator } from '../test/simulators/ses.ts'
import { createSes, type SesOptions } from './ses.ts'
import { createSendRate } from './ses-rate.ts'

const all = (size: number, kind: string) => Array.from({ length: size }, () => kind)

describe('the rate of an account', () => {
  let ses: SesSimulator
  const start = async (options: SesSimulatorOptions) => {
    ses = await startSesSimulator(options)
  }
  afterEach(() => ses.close())
  const aProvider = (options: Partial<SesOptions> = {}) => createSes({ ...ses, baseUrl: ses.url, ...options })
  const signal = () => UNSTOPPED

  it('is asked for before the first mail, once for many at a time, and now and then', async () => {
    await start({ maxSendRate: 200 })
    let now = Date.now()
    const provider = aProvider({ now: () => new Date(now) })
    expect(provider.copiesPerSecond()).toBe(14)
    await Promise.all([1, 2, 3].map(() => provider.send(aLetter(), aGroup(1), signal())))
    expect(provider.copiesPerSecond()).toBe(200)
    expect(ses.questions()).toBe(1)
    now += 200_000
    await provider.send(aLetter(), aGroup(1), signal())
    expect(ses.questions()).toBe(1)
  })

  it('is learnt from a check too', async () => {
    await start({ maxSendRate: 77 })
    const provider = aProvider()
    expect(await provider.check(signal())).toBeNull()
    expect(provider.copiesPerSecond()).toBe(77)
  })

  it('delays no mail for more than a moment, and only the first', async () => {
    await start({})
    const silent: typeof fetch = (input, init) =>
      init?.method === 'POST' ? fetch(input, init) : new Promise(() => {})
    expect(kinds(await aProvider({ fetch: silent }).send(aLetter(), aGroup(2), signal()))).toEqual([
      'accepted',
      'accepted',
    ])
    const rate = createSendRate({ ask: () => new Promise(() => {}), now: () => new Date() })
    await rate.learn()
    const second = rate.learn().then(() => 'at once')
    expect(await Promise.race([second, nextTurn('after a while')])).toBe('at once')
  })

  it('is felt out where the key may not ask: careful at first, higher while it holds, lower when refused', async () => {
    await start({ sendingOnly: true })
    const provider = aProvider()
    for (let call = 0; call < 6; call++) await provider.send(aLetter(), aGroup(50), signal())
    expect(provider.copiesPerSecond()).toBe(20)
    expect(ses.calls).toHaveLength(6)
    ses.lieNext({ kind: 'throttle' }, { kind: 'throttle' }, { kind: 'throttle' })
    for (let call = 0; call < 3; call++) await provider.send(aLetter(), aGroup(50), signal())
    expect(provider.copiesPerSecond()).toBeCloseTo(20 * 0.7 * 0.7)
  })

  it('limits what one call carries, so that even the slowest account gets its mail sent', async () => {
    let clock = Date.now()
    await start({ maxSendRate: 1, isThrottling: true, now: () => clock })
    const provider = aProvider()
    // A send waits only for a moment until the rate is known; a check, however long it takes.
    expect(await provider.check(signal())).toBeNull()
    const first = await provider.send(aLetter(), aGroup(8), signal())
    expect(kinds(first)).toEqual(['accepted', ...all(7, 'try-later')])
    expect(first[1]).toMatchObject({ about: 'account', afterMs: 1000 })
    clock += 1_000
    await provider.send(aLetter(), aGroup(8).slice(1), signal())
    expect(ses.ledger).toHaveLength(2)
    expect(ses.calls.map(({ body }) => JSON.parse(body).BulkEmailEntries.length)).toEqual([4, 1, 1])
  })
})
