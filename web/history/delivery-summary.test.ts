import { describe, expect, it } from 'vitest'
import { deliveredPercent, isReported, summaryOf } from './delivery-summary.ts'

type Counts = Parameters<typeof summaryOf>[0]

const campaign = (some: Partial<Counts>, counts: Partial<Counts['counts']> = {}): Counts => ({
  ...{ successfulCount: 0, unconfirmedCount: 0, deliveredCount: 0, bouncedCount: 0 },
  ...{ complainedCount: 0, openedCount: 0, state: 'done' },
  counts: {
    ...{ queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 },
    ...counts,
  },
  ...some,
})
const words = (counts: Counts): string[] => summaryOf(counts).map(({ name, value }) => `${name} ${value}`)

describe('the Delivery column', () => {
  it('is pending as long as there are no delivery, bounce or complaint counts', () => {
    expect(isReported(campaign({ successfulCount: 5, openedCount: 1 }))).toBe(false)
    for (const count of ['deliveredCount', 'bouncedCount', 'complainedCount'])
      expect(isReported(campaign({ [count]: 1 }))).toBe(true)
  })

  it('shows the delivered with their share, and the others only above zero', () => {
    expect(words(campaign({ successfulCount: 4, deliveredCount: 3 }))).toEqual(['Delivered 3 (75%)'])
    const all = { deliveredCount: 1_000, bouncedCount: 2, complainedCount: 1, openedCount: 500 }
    expect(words(campaign({ successfulCount: 1_003, ...all }))).toEqual([
      'Delivered 1,000 (100%)',
      'Bounced 2',
      'Spam 1',
      'Opened 500',
    ])
    expect(words(campaign({ bouncedCount: 1 }))).toEqual(['Delivered 0 (0%)', 'Bounced 1'])
  })

  it('shows the unconfirmed as their own, never under failed', () => {
    expect(words(campaign({ unconfirmedCount: 2 }, { unknown: 2, failed: 1 }))).toEqual([
      'Unconfirmed 2',
      'Failed 1',
    ])
  })

  it('leaves failed and cancelled to the line below while the campaign is on its way', () => {
    expect(words(campaign({ state: 'sending' }, { failed: 1, queued: 1 }))).toEqual([])
    expect(words(campaign({ state: 'cancelled' }, { failed: 1, cancelled: 4 }))).toEqual([
      'Failed 1',
      'Cancelled 4',
    ])
  })
})

describe('the delivered percentage', () => {
  it.each([
    [0, 0, 0],
    [3, 0, 0],
    [1, 3, 33],
    [2, 3, 67],
    [199, 200, 100],
    [4903, 4980, 98],
  ])('of %i delivered and %i successful is %i', (delivered, successful, percent) => {
    expect(deliveredPercent(delivered, successful)).toBe(percent)
  })
})
