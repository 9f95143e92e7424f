import { describe, expect, it } from 'vitest'
import type { Stats } from '../../contract/stats.ts'
import { engagementCards, formatValue, sendingCards } from './stat-cards.ts'

const NOTHING: Stats = {
  total: 0,
  totalSent: 0,
  totalFailed: 0,
  totalPending: 0,
  totalUnconfirmed: 0,
  totalSuppressed: 0,
  totalCancelled: 0,
  totalDelivered: 0,
  isDeliveryPresumed: false,
  totalBounced: 0,
  totalComplained: 0,
  totalOpened: 0,
  successRate: '0.0',
  deliveryRate: '0.0',
  bounceRate: '0.0',
  spamRate: '0.0',
  openRate: '0.0',
}

const lines = (cards: ReturnType<typeof sendingCards>): [string, string, string][] =>
  cards.map(({ title, value, decimals, text }) => [title, formatValue(value, decimals), text])

describe('the cards of sending', () => {
  it('say that there is nothing yet', () => {
    expect(lines(sendingCards(NOTHING))).toEqual([
      ['Total Sent', '0', 'No emails sent yet'],
      ['Successful', '0', '0.0% success rate'],
      ['Failed', '0', 'No failures'],
      ['Pending', '0', 'No pending emails'],
    ])
  })

  it('count by recipients, failures as a share of all with one decimal', () => {
    const stats = {
      ...NOTHING,
      total: 1500,
      totalSent: 1204,
      totalFailed: 19,
      totalPending: 277,
      successRate: '98.4',
    }
    expect(lines(sendingCards(stats))).toEqual([
      ['Total Sent', '1,500', 'All time'],
      ['Successful', '1,204', '98.4% success rate'],
      ['Failed', '19', '1.3%'],
      ['Pending', '277', 'In queue'],
    ])
  })

  it('say 0.0% when something was sent and nothing failed', () => {
    expect(sendingCards({ ...NOTHING, total: 3, totalSent: 3 })[2]?.text).toBe('0.0%')
  })
})

describe('the cards of delivery and engagement', () => {
  it('show each rate, and the count behind it', () => {
    const stats = {
      ...NOTHING,
      totalSent: 2000,
      totalDelivered: 1900,
      totalBounced: 40,
      totalComplained: 1,
      totalOpened: 950,
      deliveryRate: '95.0',
      bounceRate: '2.0',
      spamRate: '0.1',
      openRate: '50.0',
    }
    expect(lines(engagementCards(stats))).toEqual([
      ['Delivery Rate', '95.0%', '1,900 delivered'],
      ['Bounce Rate', '2.0%', '40 bounced'],
      ['Spam Rate', '0.1%', '1 complaints'],
      ['Open Rate', '50.0%', '950 opened'],
    ])
    expect(engagementCards(stats).map(({ alarm }) => alarm)).toEqual([null, null, null, null])
  })

  it.each([
    ['5.0', 50, null],
    ['5.0', 51, 'Warning'],
    ['5.1', 51, 'Warning'],
  ])('warn of a bounce rate above 5 percent: %s, %i of 1,000', (bounceRate, totalBounced, word) => {
    const [, bounce] = engagementCards({ ...NOTHING, totalSent: 1000, totalBounced, bounceRate })
    expect(bounce?.alarm?.word ?? null).toBe(word)
  })

  it.each([
    ['0.1', 1, 1000, null],
    ['0.04', 4, 10_000, null],
    ['0.14', 14, 10_000, 'Danger'],
    ['0.1', 104, 100_000, 'Danger'],
    ['0.2', 2, 1000, 'Danger'],
  ])(
    'see danger in a spam rate above 0.1 percent: %s, %i of %i',
    (spamRate, totalComplained, totalSent, word) => {
      const [, , spam] = engagementCards({ ...NOTHING, totalSent, totalComplained, spamRate })
      expect(spam?.alarm?.word ?? null).toBe(word)
    },
  )
})

it('shows a rate with as many decimals as it has', () => {
  const [, , spam] = engagementCards({ ...NOTHING, totalSent: 10_000, totalComplained: 4, spamRate: '0.04' })
  expect(spam && formatValue(spam.value, spam.decimals)).toBe('0.04%')
})

it('every rate says what it is of', () => {
  const bases = [...sendingCards(NOTHING), ...engagementCards(NOTHING)].map(({ title, basis }) => [
    title,
    basis?.match(/of all [^.]*/)?.[0] ?? null,
  ])
  expect(bases).toEqual([
    ['Total Sent', null],
    ['Successful', 'of all that were accepted or failed'],
    ['Failed', 'of all that Total Sent counts'],
    ['Pending', null],
    ['Delivery Rate', 'of all that were accepted'],
    ['Bounce Rate', 'of all that were accepted'],
    ['Spam Rate', 'of all that were accepted'],
    ['Open Rate', 'of all that were delivered'],
  ])
})

it('the delivery rate says how far plain SMTP reaches', () => {
  expect(engagementCards(NOTHING)[0]?.basis).not.toContain('SMTP')
  const presumed = { ...NOTHING, isDeliveryPresumed: true }
  expect(engagementCards(presumed)[0]?.basis).toContain(
    'counts as delivered once the mail server accepted it',
  )
})
