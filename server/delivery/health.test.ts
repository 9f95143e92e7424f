import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Outcome, Provider } from '../providers/provider.ts'
import { aProvider } from '../test/a-provider.ts'
import { createHealth } from './health.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const ACCEPTED: Outcome = { kind: 'accepted', id: '1' }
const UNKNOWN: Outcome = { kind: 'unknown', reason: 'it answered 500' }
const waiting = (afterMs: number | null): Outcome => ({
  kind: 'try-later',
  reason: 'too fast',
  afterMs,
  about: 'account',
})

type HealthParts = { check?: Provider['check']; noted?: () => Promise<void> }

function aHealth({ check = async () => null, noted = async () => {} }: HealthParts = {}) {
  const holds: { milliseconds: number; outage: string | null }[] = []
  const cleared: string[] = []
  let wakes = 0
  const provider = aProvider({ check })
  const health = createHealth({
    account: 'a',
    provider,
    needs: {
      holdAccount(_account, hold) {
        holds.push(hold)
        return noted()
      },
      clearOutage: async (account) => void cleared.push(account),
      troubled: (error) => {
        throw error
      },
    },
    wake: () => {
      wakes += 1
    },
    signal: new AbortController().signal,
  })
  const doubt = (times: number) => Array.from({ length: times }, () => health.note([UNKNOWN]))
  return { health, holds, cleared, doubt, wakes: () => wakes }
}

it('holds the account as long as the provider asks, here and for all other workers', async () => {
  const { health, holds } = aHealth()
  health.note([waiting(2_000)])
  expect(holds).toEqual([{ milliseconds: 2_000, outage: null, isAsked: true }])
  expect(health.heldMs()).toBeGreaterThanOrEqual(2_000)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(health.isHeld()).toBe(true)
  await vi.advanceTimersByTimeAsync(200)
  expect(health.isHeld()).toBe(false)
  expect(health.heldMs()).toBe(0)
})

it('holds it here no shorter than the database does, which may hear of it late', async () => {
  const { health } = aHealth({ noted: () => new Promise((resolve) => setTimeout(resolve, 1_500)) })
  health.note([waiting(2_000)])
  await vi.advanceTimersByTimeAsync(3_500)
  expect(health.isHeld()).toBe(true)
  await vi.advanceTimersByTimeAsync(200)
  expect(health.isHeld()).toBe(false)
})

it('is not held again by a hold that is noted only when the provider is back', async () => {
  const { health, doubt } = aHealth({ noted: () => new Promise((resolve) => setTimeout(resolve, 6_000)) })
  doubt(5)
  await vi.advanceTimersByTimeAsync(5_900)
  expect(health.isHeld()).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(health.isHeld()).toBe(false)
})

it('tells people of a long wait, such as a used-up quota, and not of a moment', () => {
  const { health, holds } = aHealth()
  health.note([waiting(3_600_000)])
  expect(holds).toEqual([
    { milliseconds: 3_600_000, outage: 'Simulated asks to wait: too fast', isAsked: true },
  ])
})

it('stops calling after five doubtful calls in a row, says why, and asks before it calls again', async () => {
  const { health, holds, cleared, doubt } = aHealth()
  doubt(4)
  expect(health.isHeld()).toBe(false)
  doubt(1)
  expect(health.isHeld()).toBe(true)
  expect(holds).toMatchObject([{ outage: 'Simulated is out of order: it answered 500' }])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(cleared).toEqual(['a'])
  expect(health.isHeld()).toBe(false)
  // One call shows how it fares.
  expect(health.isProbing()).toBe(true)
  expect(health.callLimit()).toBe(1)
  health.note([ACCEPTED])
  expect(health.isProbing()).toBe(false)
})

it('goes on holding while the provider says that it is not back', async () => {
  let isBack = false
  const { health, holds, doubt } = aHealth({ check: async () => (isBack ? null : 'not yet') })
  doubt(5)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(health.isHeld()).toBe(true)
  expect(holds.at(-1)?.outage).toBe('Simulated is out of order: not yet')
  isBack = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(health.isHeld()).toBe(false)
})

it('keeps a wait that the provider asked for during an outage, also when the outage is over first', async () => {
  const { health, holds, doubt } = aHealth()
  doubt(5)
  health.note([waiting(20_000)])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(health.isHeld()).toBe(true)
  // The other workers, whose hold was cleared with the outage, are told again.
  expect(holds.at(-1)?.outage).toBeNull()
  expect(holds.at(-1)?.milliseconds).toBeGreaterThan(14_000)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(health.isHeld()).toBe(false)
})

it('makes fewer calls at once while there is trouble, and dares more again step by step', () => {
  const { health, doubt } = aHealth()
  doubt(2)
  expect(health.callLimit()).toBe(2)
  for (let call = 0; call < 40; call++) health.note([ACCEPTED])
  expect(health.callLimit()).toBe(4)
})

it('takes refusals of single mails for answers of a provider at work', () => {
  const { health } = aHealth()
  const refusals: Outcome[] = [
    { kind: 'rejected', reason: '550' },
    { kind: 'try-later', reason: '451', afterMs: null, about: 'mail' },
  ]
  for (let call = 0; call < 20; call++) health.note([refusals[call % 2] ?? ACCEPTED])
  expect(health.isHeld()).toBe(false)
  expect(health.callLimit()).toBe(8)
})

it('asks no more once it is stopped', async () => {
  let asked = 0
  const { health, doubt } = aHealth({
    check: async () => {
      asked += 1
      return null
    },
  })
  doubt(5)
  health.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(0)
})
