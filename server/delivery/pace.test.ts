import { describe, expect, it } from 'vitest'
import { AHEAD_MAX, createCallGate, createPace } from './pace.ts'

describe('how much is put in flight ahead', () => {
  /** `share` of the time four places for calls are all empty for want of work. */
  function afterASecond(share: number, pace = createPace()) {
    for (let now = 100; now <= 1_100; now += 100) {
      pace.note(4, 4, now)
      pace.note(0, 4, now + 100 * share)
    }
    return pace
  }

  it('is nothing for a provider that always finds its next call ready', () => {
    expect(afterASecond(0).ahead()).toBe(0)
  })

  it('grows while calls wait for the database, to a limit that a crash can leave doubtful', () => {
    expect(afterASecond(0.5).ahead()).toBe(AHEAD_MAX)
  })

  it('shrinks again when there is no more need for it', () => {
    const pace = afterASecond(0.5)
    const before = pace.ahead()
    for (let now = 2_000; now < 6_000; now += 100) pace.note(0, 4, now)
    expect(pace.ahead()).toBeLessThan(before / 10)
  })

  it('stays as it is between the two, so that it comes to rest', () => {
    const pace = createPace()
    pace.note(4, 4, 100)
    pace.note(0, 4, 160)
    const grown = pace.ahead()
    expect(grown).toBeGreaterThan(0)
    for (let now = 200; now < 2_000; now += 100) {
      pace.note(4, 4, now)
      pace.note(0, 4, now + 6)
    }
    expect(pace.ahead()).toBeGreaterThanOrEqual(Math.floor(grown * 0.9))
  })
})

describe('the calls in a second', () => {
  /** When each of `count` calls may begin, if each begins as soon as it may. */
  function beginnings(callsPerSecond: number, count: number): number[] {
    const gate = createCallGate({ callsPerSecond, copiesPerSecond: () => null })
    const times: number[] = []
    let now = 50_000
    while (times.length < count) {
      if (gate.take(now)) times.push(now - 50_000)
      else now += gate.waitMs(now)
    }
    return times
  }

  it('are spread evenly, also after a long rest: a burst would be refused', () => {
    expect(beginnings(10, 5)).toEqual([0, 50, 150, 250, 350])
  })

  it('are as many as stated in the long run, and never more than one above it in any second', () => {
    const times = beginnings(10, 60)
    for (const from of times)
      expect(times.filter((time) => time >= from && time < from + 1_000).length).toBeLessThanOrEqual(11)
    expect(times.at(-1)).toBe(5_850)
  })

  it('make up for a timer that rings late', () => {
    const gate = createCallGate({ callsPerSecond: 10, copiesPerSecond: () => null })
    gate.take(0)
    gate.take(50)
    expect(gate.take(190)).toBe(true)
    expect(gate.take(249)).toBe(false)
    expect(gate.take(250)).toBe(true)
  })

  it('have no limit where the provider states none', () => {
    const gate = createCallGate({ callsPerSecond: null, copiesPerSecond: () => null })
    expect(Array.from({ length: 1_000 }, () => gate.take(0)).every(Boolean)).toBe(true)
    expect(gate.waitMs(0)).toBe(0)
  })
})

describe('the copies in a second', () => {
  it('are as many as the account allows in the long run, however many one call carries', () => {
    const gate = createCallGate({ callsPerSecond: null, copiesPerSecond: () => 14 })
    let now = 0
    let copies = 0
    while (now < 60_000) {
      if (gate.take(now, 50)) copies += 50
      else now += gate.waitMs(now)
    }
    expect(copies).toBeGreaterThan(13.5 * 60)
    expect(copies).toBeLessThanOrEqual(14 * 60 + 50 + 1)
  })

  it('follow what is learnt of the account on the way', () => {
    let rate: number | null = null
    const gate = createCallGate({ callsPerSecond: null, copiesPerSecond: () => rate })
    expect(gate.take(0, 50)).toBe(true)
    rate = 10
    expect(gate.take(1, 50)).toBe(true)
    expect(gate.take(2, 50)).toBe(false)
    expect(gate.waitMs(2)).toBeGreaterThan(4_000)
  })
})
