import { describe, expect, it } from 'vitest'
import { createLocalMailbox } from '../providers/local-mailbox.ts'
import type { Provider } from '../providers/provider.ts'
import { count, createCapacity, noTraffic } from './capacity.ts'

/** A provider of two calls at once, a thousand mails in each, of which none may be repeated. */
function aCapacity({
  provider = {},
  isProbing = false,
  heldMs = 0,
  waitMs = 0,
}: {
  provider?: Partial<Provider>
  isProbing?: boolean
  heldMs?: number
  waitMs?: number
} = {}) {
  const traffic = noTraffic()
  const capacity = createCapacity({
    provider: {
      ...createLocalMailbox({ deposit: async () => [] }),
      batchMax: 1_000,
      concurrency: 2,
      repeatableMs: 0,
      ...provider,
    },
    health: {
      isHeld: () => heldMs > 0,
      heldMs: () => heldMs,
      isProbing: () => isProbing,
      callLimit: () => (isProbing ? 1 : 2),
    },
    gate: { waitMs: () => waitMs },
    traffic,
    now: () => 0,
  })
  return { capacity, traffic }
}

describe('what may be put in flight', () => {
  it('is as much as the calls can carry that may be under way', () => {
    const { capacity, traffic } = aCapacity()
    expect(capacity.room()).toBe(2_000)
    count(traffic.underWay, 1, 1_000)
    expect(capacity.room()).toBe(1_000)
    count(traffic.ready, 1, 1_000)
    expect(capacity.room()).toBe(0)
  })

  it('is nothing once the calls are spoken for, however few they carry', () => {
    const { capacity, traffic } = aCapacity()
    count(traffic.fencing, 1, 1)
    expect(capacity.room()).toBeGreaterThan(0)
    count(traffic.ready, 1, 1)
    expect(capacity.room()).toBe(0)
  })

  it('does not wait for calls that are late, unless they are all that may be under way', () => {
    const { capacity, traffic } = aCapacity({ isProbing: true })
    count(traffic.late, 1, 1_000)
    expect(capacity.places()).toBe(1)
    expect(capacity.room()).toBe(1)
    count(traffic.late, 1, 1_000)
    expect(capacity.places()).toBe(0)
    expect(capacity.room()).toBe(0)
  })

  it('is one mail while nobody knows whether the provider is back, unless its call could be repeated', () => {
    expect(aCapacity({ isProbing: true }).capacity.room()).toBe(1)
    const repeatable = aCapacity({ isProbing: true, provider: { repeatableMs: 1 } })
    expect(repeatable.capacity.room()).toBe(1_000)
  })

  it('is asked for again when the hold is over, or shortly before a call may begin', () => {
    expect(aCapacity().capacity.waitMs()).toBeNull()
    expect(aCapacity({ heldMs: 5_000 }).capacity.waitMs()).toBe(5_001)
    expect(aCapacity({ heldMs: 1 }).capacity.waitMs()).toBe(80)
    expect(aCapacity({ waitMs: 300 }).capacity.waitMs()).toBeNull()
    expect(aCapacity({ waitMs: 1_000 }).capacity.waitMs()).toBe(701)
  })

  it('is nothing for an account that is held', () => {
    expect(aCapacity({ heldMs: 5_000 }).capacity.room()).toBe(0)
  })

  it('is no more than an account’s rate lets begin before it would be taken back', () => {
    const provider = { batchMax: 50, copiesPerSecond: () => 14 }
    expect(aCapacity({ provider }).capacity.room()).toBe(50)
    expect(aCapacity({ provider, waitMs: 3_000 }).capacity.room()).toBe(0)
  })
})
