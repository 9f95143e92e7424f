import { describe, expect, it } from 'vitest'
import type { EventKind, ProviderEvent } from '../../providers/events.ts'
import { anEvent, aSentCampaign, HARD, recordAll, SOFT } from '../../test/campaign-events.ts'
import { mulberry32 } from '../../test/faults/chance.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  LATER,
  REFUSED,
  type StoredCampaign,
  settled,
  states,
  tryClaim,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { setRunState, sweepCancelled } from './changes.ts'
import { step } from './steps.ts'

const database = databaseOfFile()

const ACCOUNT = 'product'
const DELIVERED: EventKind = { kind: 'delivered' }

const record = async (...events: ProviderEvent[]) => (await recordAll(database.db, ACCOUNT, events)).moved

const rows = ({ id }: StoredCampaign) =>
  database.db.selectFrom('deliveries').selectAll().where('campaign_id', '=', id).orderBy('seq').execute()

const counts = ({ id }: StoredCampaign) =>
  database.db
    .selectFrom('runs')
    .select(['delivered', 'bounced', 'complained', 'opened', 'clicked', 'accepted', 'unknown', 'queued'])
    .where('campaign_id', '=', id)
    .executeTakeFirstOrThrow()

describe('an event', () => {
  it('is noted with its time, and counted once however often it is told', async () => {
    const campaign = await aSentCampaign(database.db, 2)
    const event = anEvent(campaign, 1, DELIVERED)
    expect(await record(event, event)).toMatchObject([{ id: campaign.id, userId: campaign.userId }])
    expect(await record(event)).toEqual([])
    await Promise.all(Array.from({ length: 5 }, () => record(event)))
    expect(await counts(campaign)).toMatchObject({ delivered: 1, accepted: 2 })
    expect((await rows(campaign))[0]?.delivered_at).toEqual(event.at)
  })

  it('of a bounce wins over a delivery, whichever comes first, and tells why', async () => {
    const campaign = await aSentCampaign(database.db, 2)
    const bounce = (seq: number) => anEvent(campaign, seq, HARD, { words: '550 5.1.1 no such user' })
    await record(anEvent(campaign, 1, DELIVERED))
    await record(bounce(1))
    await record(bounce(2))
    await record(anEvent(campaign, 2, DELIVERED))
    expect(await counts(campaign)).toMatchObject({ delivered: 0, bounced: 2 })
    expect((await rows(campaign)).map(({ reason, bounce }) => [reason, bounce])).toEqual([
      ['550 5.1.1 no such user', 'h'],
      ['550 5.1.1 no such user', 'h'],
    ])
  })

  it('of a bounce takes back what counted as delivered because nobody reports more than the acceptance', async () => {
    const campaign = await aStoredCampaign(database.db, 2)
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    await step(database.db, window.key, settled(window, ACCEPTED), [], { isLastWord: true })
    expect(await counts(campaign)).toMatchObject({ accepted: 2, delivered: 2, bounced: 0 })
    await record(anEvent(campaign, 1, HARD))
    expect(await counts(campaign)).toMatchObject({ accepted: 2, delivered: 1, bounced: 1 })
  })

  it('by a machine is kept, and is nobody’s reading', async () => {
    const campaign = await aSentCampaign(database.db, 1)
    await record(anEvent(campaign, 1, { kind: 'opened', isMachine: true }))
    expect(await counts(campaign)).toMatchObject({ opened: 0 })
    await record(anEvent(campaign, 1, { kind: 'opened', isMachine: false }))
    await record(anEvent(campaign, 1, { kind: 'opened', isMachine: false }))
    expect(await counts(campaign)).toMatchObject({ opened: 1 })
  })

  it('about another account’s campaign, an unknown delivery or none has no effect', async () => {
    const campaign = await aSentCampaign(database.db, 1)
    expect(await recordAll(database.db, 'user/else', [anEvent(campaign, 1, HARD)])).toEqual({
      moved: [],
      suppressed: [],
    })
    const nobodys = [
      anEvent(campaign, 2, HARD),
      anEvent(campaign, 0, HARD),
      anEvent({ ...campaign, id: campaign.userId }, 1, HARD),
      anEvent(campaign, 1, HARD, { tag: null }),
      anEvent(campaign, 1, HARD, { tag: `${campaign.id}-1` }),
      anEvent(campaign, 1, HARD, { tag: "x'; drop table runs; --" }),
    ]
    expect(await record(...nobodys)).toEqual([])
    expect(await counts(campaign)).toMatchObject({ bounced: 0 })
  })

  it('by a machine that we see ourselves proves nothing: whoever refuses a mail may have looked through it before', async () => {
    const campaign = await aStoredCampaign(database.db, 3)
    const scanned = (seq: number) =>
      recordAll(database.db, null, [anEvent(campaign, seq, { kind: 'opened', isMachine: true })])
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    await scanned(1)
    await step(database.db, window.key, settled(window, REFUSED), [], { isLastWord: true })
    await scanned(2)
    expect(await states(database.db, campaign)).toBe('fff')
    expect((await rows(campaign)).map(({ reason }) => reason)).toEqual(Array(3).fill('550 spam'))
    expect(await counts(campaign)).toMatchObject({ accepted: 0, delivered: 0, opened: 0 })
  })

  it('settles what nobody knew', async () => {
    const campaign = await aStoredCampaign(database.db, 3)
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    await step(database.db, window.key, settled(window, UNKNOWN), [])
    expect(await states(database.db, campaign)).toBe('uuu')
    await record(anEvent(campaign, 1, { kind: 'accepted' }), anEvent(campaign, 2, HARD, { words: '550' }))
    expect(await states(database.db, campaign)).toBe('aau')
    expect(await counts(campaign)).toMatchObject({ accepted: 2, unknown: 1, bounced: 1, delivered: 0 })
    expect((await rows(campaign)).map(({ reason }) => reason)).toEqual([null, '550', 'silence'])
  })
})

describe('an event that comes before our own record of the answer', () => {
  const aCampaignInFlight = async (size: number) => {
    const campaign = await aStoredCampaign(database.db, size)
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    return { campaign, window }
  }

  it('is kept beside it', async () => {
    const { campaign, window } = await aCampaignInFlight(2)
    await record(anEvent(campaign, 1, DELIVERED), anEvent(campaign, 2, HARD, { words: '550 gone' }))
    expect(await states(database.db, campaign)).toBe('ii')
    await step(database.db, window.key, settled(window, ACCEPTED), [])
    expect(await states(database.db, campaign)).toBe('aa')
    expect(await counts(campaign)).toMatchObject({ delivered: 1, bounced: 1, accepted: 2 })
    expect((await rows(campaign)).map(({ reason }) => reason)).toEqual([null, '550 gone'])
  })

  it.each([
    ['no answer', UNKNOWN],
    ['a refusal for now', LATER],
    ['a refusal', { kind: 'rejected', reason: '500' } as const],
  ])(
    'proves that the mail was taken, in spite of %s: it is neither unknown nor sent again',
    async (_, answer) => {
      const { campaign, window } = await aCampaignInFlight(2)
      await record(anEvent(campaign, 1, { kind: 'deferred' }))
      await step(database.db, window.key, settled(window, answer), [])
      const [first, second] = await rows(campaign)
      expect(first).toMatchObject({ state: 'a', reason: null, next_try_at: null })
      expect(second?.state).not.toBe('a')
    },
  )

  it('leaves a doubtful call whole, so that it is repeated as it was', async () => {
    const { campaign, window } = await aCampaignInFlight(2)
    await record(anEvent(campaign, 1, DELIVERED))
    await step(database.db, window.key, settled(window, UNKNOWN, true), [])
    expect(await states(database.db, campaign)).toBe('ii')
  })

  it('is the answer when the worker died', async () => {
    const { campaign, window } = await aCampaignInFlight(2)
    await record(anEvent(campaign, 2, DELIVERED))
    await expireLease(database.db, window.key)
    expect(await tryClaim(database.db, campaign, { mayTakeOver: true })).toBeNull()
    expect(await states(database.db, campaign)).toBe('ua')
    expect((await rows(campaign))[1]).toMatchObject({ reason: null, accepted_at: expect.any(Date) })
  })

  it('is the answer when the campaign was cancelled meanwhile', async () => {
    const { campaign, window } = await aCampaignInFlight(2)
    await record(anEvent(campaign, 2, DELIVERED))
    await expireLease(database.db, window.key)
    await setRunState(database.db, campaign.userId, campaign.id, { from: ['sending'], to: 'cancelled' })
    await sweepCancelled(database.db, campaign.id, { mayTakeOver: true })
    expect(await states(database.db, campaign)).toBe('ua')
  })

  it('keeps a queued mail from being sent: somebody has it already', async () => {
    const campaign = await aStoredCampaign(database.db, 2)
    const window = await claim(database.db, campaign)
    await record(anEvent(campaign, 1, DELIVERED))
    expect((await fence(database.db, window)).fenced).toEqual(new Set([2]))
    expect(await states(database.db, campaign)).toBe('ai')
  })
})

it('events in 1,000 orders, with repetitions, and with the outcome anywhere between lead to the same rows and counts', async () => {
  const random = mulberry32(7)
  const shuffled = <T>(items: readonly T[]): T[] => {
    const all = [...items]
    for (let last = all.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      const [a, b] = [all[last] as T, all[other] as T]
      all[last] = b
      all[other] = a
    }
    return all
  }
  const SIZE = 1_000
  const at = Date.UTC(2026, 0, 1)
  const story: readonly [EventKind, string | null][] = [
    [{ kind: 'accepted' }, null],
    [{ kind: 'deferred' }, '451 later'],
    [DELIVERED, '250 ok'],
    [{ kind: 'opened', isMachine: false }, null],
    [{ kind: 'opened', isMachine: false }, null],
    [SOFT, '452 full'],
    [HARD, '550 gone'],
    [{ kind: 'complained' }, null],
  ]
  const campaign = await aStoredCampaign(database.db, SIZE)
  const window = await claim(database.db, campaign)
  await fence(database.db, window)
  const turns = Array.from({ length: SIZE }, (_, index) => {
    const events = story.map(([kind, words], step) =>
      anEvent(campaign, index + 1, kind, { at: new Date(at + step * 1000), words }),
    )
    return shuffled([...events, ...events.filter(() => random() < 0.5)])
  })
  const longest = Math.max(...turns.map(({ length }) => length))
  const settledAfter = turns.map(({ length }) => Math.floor(random() * length))
  for (let turn = 0; turn < longest; turn++) {
    const due = settled(window, UNKNOWN).filter((_, index) => settledAfter[index] === turn)
    await Promise.all([
      record(...turns.flatMap((events) => events[turn] ?? [])),
      step(database.db, window.key, due, []),
    ])
  }
  const ends = new Set(
    (await rows(campaign)).map(({ seq, address, address_key, in_flight_at, accepted_at, ...row }) =>
      JSON.stringify({ ...row, call_seq: null }),
    ),
  )
  expect([...ends]).toHaveLength(1)
  expect(JSON.parse([...ends][0] ?? '')).toMatchObject({ state: 'a', bounce: 'h', reason: '550 gone' })
  expect(await counts(campaign)).toMatchObject({
    accepted: SIZE,
    unknown: 0,
    delivered: 0,
    bounced: SIZE,
    complained: SIZE,
    opened: SIZE,
  })
})
