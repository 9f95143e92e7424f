import { describe, expect, it } from 'vitest'
import { leftWords, type Sample, secondsLeft as secondsLeftAt, withSample } from './remaining-time.ts'

const secondsLeft = (samples: readonly Sample[], waiting: number, afterMs = 0): number | null =>
  secondsLeftAt(samples, waiting, (samples.at(-1)?.at ?? 0) + afterMs)

const samplesOf = (...all: [at: number, settled: number][]): readonly Sample[] =>
  all.reduce<readonly Sample[]>((known, [at, settled]) => withSample(known, { at, settled }), [])

describe('the time that is left', () => {
  it('follows from how fast the counts have moved', () => {
    expect(secondsLeft(samplesOf([0, 100], [2_000, 300]), 1_000)).toBe(10)
  })

  it('is not known from one look, nor from two at the same time', () => {
    expect(secondsLeft([], 10)).toBeNull()
    expect(secondsLeft(samplesOf([0, 100]), 10)).toBeNull()
    expect(secondsLeft(samplesOf([0, 100], [400, 200]), 10)).toBeNull()
  })

  it('forgets what is longer ago than half a minute', () => {
    const slowThenFast = samplesOf([0, 0], [60_000, 10], [61_000, 20], [70_000, 910])
    expect(slowThenFast.map(({ at }) => at)).toEqual([60_000, 61_000, 70_000])
    expect(secondsLeft(slowThenFast, 900)).toBe(10)
  })

  it('is not promised any more once the counts have stood still for half a minute', () => {
    const samples = samplesOf([0, 100], [2_000, 300])
    expect(secondsLeft(samples, 1, 29_000)).not.toBeNull()
    expect(secondsLeft(samples, 1, 30_000)).toBeNull()
  })

  it('has something to compare with also after a standstill', () => {
    expect(secondsLeft(samplesOf([0, 0], [60_000, 60]), 60)).toBe(60)
  })

  it('begins anew when some are queued again', () => {
    expect(samplesOf([0, 100], [5_000, 200], [6_000, 150])).toEqual([{ at: 6_000, settled: 150 }])
  })

  it('takes the same count for no news', () => {
    const samples = samplesOf([0, 100])
    expect(withSample(samples, { at: 9_000, settled: 100 })).toBe(samples)
  })
})

it.each([
  [0, 'a few seconds left'],
  [9, 'a few seconds left'],
  [30, 'less than a minute left'],
  [55, 'about 1 min left'],
  [120, 'about 2 min left'],
  [3_560, 'about 59 min left'],
  [3_600, 'about 1 h left'],
  [47 * 3_600, 'about 47 h left'],
  [72 * 3_600, 'about 3 days left'],
])('calls %i seconds "%s"', (seconds, words) => {
  expect(leftWords(seconds)).toBe(words)
})
