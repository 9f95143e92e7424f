import { describe, expect, it } from 'vitest'
import type { Outcome } from '../providers/provider.ts'
import { notBegun, type SettlementRules, settleCall } from './settlement.ts'
import type { ClaimedDelivery } from './store/claims.ts'

const delivery = (parts: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  seq: 1,
  address: 'ann@x.test',
  name: '',
  attempts: 0,
  callSeq: null,
  callSize: null,
  inFlightMs: 0,
  wasTurnedBack: false,
  ...parts,
})
const repeated = (parts: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  delivery({ attempts: 1, callSeq: 1, callSize: 1, inFlightMs: 5_000, ...parts })

const SMTP: SettlementRules = { retryMs: 96 * 3_600_000, canRepeat: false, random: () => 0.5 }
const RESEND: SettlementRules = { ...SMTP, canRepeat: true }
const ACCEPTED: Outcome = { kind: 'accepted', id: 'id-1' }
const REJECTED: Outcome = { kind: 'rejected', reason: '550 no such user' }
const UNKNOWN: Outcome = { kind: 'unknown', reason: 'it fell silent' }
const GREYLISTED: Outcome = { kind: 'try-later', reason: '451 later', afterMs: null, about: 'mail' }
const AWAY: Outcome = { kind: 'try-later', reason: 'refused', afterMs: null, about: 'account' }

const settle = (one: ClaimedDelivery, outcome: Outcome, rules: SettlementRules) =>
  settleCall([one], [outcome], rules)[0]

it('an answer that would never change is unknown for good, and not asked for again', () => {
  const final: Outcome = { kind: 'unknown', reason: 'other words under this key', isFinal: true }
  for (const one of [delivery(), repeated()])
    expect(settle(one, final, RESEND)).toMatchObject({
      state: 'u',
      waitMs: null,
      reason: 'other words under this key',
    })
})

it('whatever a provider says can be stored: a word that cannot would keep its mails from being settled', () => {
  const ill = '4\0 words'
  for (const outcome of [
    { kind: 'accepted', id: ill },
    { ...REJECTED, reason: ill },
    { ...UNKNOWN, reason: ill },
    { ...GREYLISTED, reason: ill },
    { ...AWAY, reason: ill },
  ] as Outcome[])
    for (const one of [delivery(), repeated()])
      expect(JSON.stringify(settle(one, outcome, RESEND))).not.toContain('\\u0000')
})

it('a call by which the provider is out of order lets the mails of others go first, and costs no try', () => {
  const asideMs = 32_000
  const aside = { waitMs: asideMs, wasTry: false }
  expect(settle(delivery(), AWAY, { ...SMTP, asideMs })).toMatchObject({ ...aside, state: 'q' })
  expect(settle(repeated(), AWAY, { ...RESEND, asideMs })).toMatchObject({ ...aside, state: 'i' })
  expect(settle(repeated(), UNKNOWN, { ...RESEND, asideMs })).toMatchObject({ state: 'i', waitMs: asideMs })
})

describe('a first call', () => {
  it('that is accepted keeps the provider’s id', () => {
    expect(settle(delivery(), ACCEPTED, SMTP)).toMatchObject({
      attempts: 1,
      state: 'a',
      providerId: 'id-1',
      waitMs: null,
    })
  })

  it('that is refused for good fails with the provider’s words', () => {
    expect(settle(delivery(), REJECTED, SMTP)).toMatchObject({ state: 'f', reason: '550 no such user' })
  })

  it('that is refused for now waits its turn', () => {
    expect(settle(delivery(), GREYLISTED, SMTP)).toMatchObject({
      state: 'q',
      reason: '451 later',
      waitMs: 5_000,
      wasTry: true,
    })
  })

  it('waits as long as the server says, where it says so', () => {
    const told: Outcome = { ...GREYLISTED, afterMs: 90_000 }
    expect(settle(delivery(), told, SMTP)?.waitMs).toBe(90_000)
  })

  it('fails once its time is over, and says how often it was tried', () => {
    const settled = settle(delivery({ attempts: 9 }), GREYLISTED, { ...SMTP, retryMs: 60_000 })
    expect(settled).toMatchObject({ state: 'f', reason: 'Given up after 10 tries: 451 later' })
  })

  it('costs the mail no try when the provider is away', () => {
    expect(settle(delivery(), AWAY, SMTP)).toMatchObject({
      attempts: 1,
      state: 'q',
      waitMs: null,
      wasTry: false,
    })
  })

  it('with a doubtful answer is unknown where a repetition would be a second mail', () => {
    expect(settle(delivery(), UNKNOWN, SMTP)).toMatchObject({ state: 'u', reason: 'it fell silent' })
  })

  it('with a doubtful answer stays in flight where it may be repeated', () => {
    expect(settle(delivery(), UNKNOWN, RESEND)).toMatchObject({ state: 'i', waitMs: 5_000, wasTry: true })
  })

  it('without any answer is doubtful', () => {
    expect(settleCall([delivery()], [], SMTP)).toMatchObject([{ state: 'u' }])
  })
})

describe('a repeated call', () => {
  it('is asked about every half minute at most', () => {
    expect(settle(repeated({ attempts: 30 }), UNKNOWN, RESEND)?.waitMs).toBe(30_000)
  })

  it('that is refused for now stays in flight: the first one may have been taken', () => {
    expect(settle(repeated(), GREYLISTED, RESEND)).toMatchObject({ state: 'i', waitMs: 30_000 })
    expect(settle(repeated(), AWAY, RESEND)).toMatchObject({ state: 'i', waitMs: null, wasTry: false })
  })

  it('that is turned away as a whole is unknown: nobody looked whether the first one was taken', () => {
    expect(settle(repeated(), REJECTED, RESEND)).toMatchObject({
      state: 'u',
      reason: '550 no such user; an earlier call may have been taken',
    })
  })

  it('of which some are accepted was read: who is refused in it has failed', () => {
    const both = [repeated({ seq: 1, callSize: 2 }), repeated({ seq: 2, callSize: 2 })]
    expect(settleCall(both, [ACCEPTED, REJECTED], RESEND)).toMatchObject([{ state: 'a' }, { state: 'f' }])
  })

  it('that did not begin after all stays in flight', () => {
    expect(notBegun(repeated())).toMatchObject({ attempts: 2, state: 'i', wasTry: false })
    expect(notBegun(delivery())).toMatchObject({ attempts: 1, state: 'q', wasTry: false })
  })
})

describe('a call of many', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => delivery({ seq: index + 1 }))

  it('is repeated by all at the same moment, whatever chance says and however often each was tried', () => {
    let chance = 0
    const rules = { ...RESEND, random: () => (chance = (chance + 0.3) % 1) }
    const mixed = [...many(3), delivery({ seq: 4, attempts: 3 })]
    const settled = settleCall(
      mixed,
      mixed.map(() => UNKNOWN),
      rules,
    )
    expect(new Set(settled.map(({ waitMs }) => waitMs)).size).toBe(1)
    expect(settled.map(({ callSize }) => callSize)).toEqual([4, 4, 4, 4])
  })

  it('of which some are settled is repeated by the rest, who know how many they are', () => {
    const settled = settleCall(many(4), [ACCEPTED, UNKNOWN, REJECTED, UNKNOWN], RESEND)
    expect(settled.map(({ state }) => state).join('')).toBe('aifi')
    expect(settled.map(({ callSize }) => callSize)).toEqual([null, 2, null, 2])
  })

  it('keeps the doubtful together when only some of them were told to wait', () => {
    const both = [repeated({ seq: 1, callSize: 2 }), repeated({ seq: 2, callSize: 2 })]
    const settled = settleCall(both, [UNKNOWN, AWAY], RESEND)
    expect(settled).toMatchObject([
      { state: 'i', waitMs: 10_000 },
      { state: 'i', waitMs: 10_000 },
    ])
  })
})
