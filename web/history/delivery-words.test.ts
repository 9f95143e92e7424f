import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../contract/campaigns.ts'
import { happenedTo, timesOf } from './delivery-words.ts'

const delivery = (some: Partial<Delivery>): Delivery => ({
  ...{
    address: 'ann@example.test',
    state: 'accepted',
    reason: null,
    attempts: 1,
    messageId: '<1@x>',
    providerId: null,
  },
  ...{
    triedAt: null,
    acceptedAt: null,
    deliveredAt: null,
    bouncedAt: null,
    complainedAt: null,
    openedAt: null,
    isUnsent: false,
  },
  ...some,
})
const words = (some: Partial<Delivery>): string => happenedTo(delivery(some)).words

describe('what happened to a mail', () => {
  it('is told in the words of the provider where there are any', () => {
    expect(words({ state: 'failed', reason: '550 No such user' })).toBe('550 No such user')
    expect(words({ state: 'queued', reason: '451 Try later' })).toBe('Will be tried again: 451 Try later')
    expect(words({ bouncedAt: '2026-11-15T10:00:00.000Z', reason: 'Mailbox full' })).toBe(
      'Bounced: Mailbox full',
    )
  })

  it('is no bounce where the provider took it and did not send it', () => {
    const bouncedAt = '2026-11-15T10:00:00.000Z'
    const unsent = { bouncedAt, isUnsent: true, reason: 'Not sent by the provider: quota' }
    expect(happenedTo(delivery(unsent))).toEqual({ words: unsent.reason, at: bouncedAt })
    expect(timesOf(delivery(unsent))).toEqual([{ name: 'Not sent', at: bouncedAt }])
  })

  it('is told in ours where there are none', () => {
    expect(words({ state: 'queued', attempts: 0 })).toBe('Waiting for its turn')
    expect(words({ state: 'queued', attempts: 2 })).toBe('Will be tried again')
    for (const state of ['failed', 'unknown', 'suppressed', 'cancelled', 'inFlight'] as const)
      expect(words({ state })).toMatch(/^[A-Z].{10,}$/)
  })

  it('is the latest, and a complaint or a bounce outweighs the rest', () => {
    const times = {
      acceptedAt: '2026-11-15T10:00:00.000Z',
      deliveredAt: '2026-11-15T10:01:00.000Z',
      openedAt: '2026-11-15T10:02:00.000Z',
    }
    expect(happenedTo(delivery(times))).toEqual({ words: 'Opened', at: times.openedAt })
    expect(happenedTo(delivery({ ...times, openedAt: null }))).toEqual({
      words: 'Delivered',
      at: times.deliveredAt,
    })
    expect(words({ acceptedAt: times.acceptedAt })).toBe('Accepted by the provider')
    expect(words({ ...times, bouncedAt: times.deliveredAt })).toBe('Bounced')
    expect(words({ ...times, complainedAt: times.deliveredAt })).toBe('Marked as spam')
  })

  it('has the time of the latest try where nothing later is known', () => {
    const triedAt = '2026-11-15T09:59:00.000Z'
    for (const state of ['queued', 'inFlight', 'failed', 'unknown'] as const)
      expect(happenedTo(delivery({ state, triedAt })).at).toBe(triedAt)
    expect(timesOf(delivery({ state: 'failed', triedAt }))).toEqual([{ name: 'Tried', at: triedAt }])
  })

  it('is listed in the order of time', () => {
    const events = timesOf(
      delivery({
        acceptedAt: '2026-11-15T10:00:00.000Z',
        openedAt: '2026-11-15T10:01:00.000Z',
        deliveredAt: '2026-11-15T10:02:00.000Z',
      }),
    )
    expect(events.map(({ name }) => name)).toEqual(['Accepted', 'Opened', 'Delivered'])
  })
})
