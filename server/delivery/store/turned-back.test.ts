import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../providers/provider.ts'
import {
  aStoredCampaign,
  claim,
  databaseOfFile,
  fence,
  letTimePass,
  settled,
} from '../../test/stored-campaign.ts'
import { notBegun } from '../settlement.ts'
import type { ClaimedWindow } from './claims.ts'
import { releaseWindow } from './leases.ts'
import { step } from './steps.ts'

const database = databaseOfFile()

const HUNG_UP: Outcome = { kind: 'try-later', reason: 'it hung up', afterMs: null, about: 'account' }
const UNHARMED_FIRST = { isUnharmedFirst: true }

const seqsOf = ({ deliveries }: ClaimedWindow): number[] => deliveries.map(({ seq }) => seq)
const turnedBackOf = ({ deliveries }: ClaimedWindow): boolean[] =>
  deliveries.map(({ wasTurnedBack }) => wasTurnedBack)

/** The provider hangs up at all of a window. They let others go first, or stay in the window. */
async function turnBack(window: ClaimedWindow, waitMs: number | null = 2_000): Promise<void> {
  const { db } = database
  await fence(db, window)
  await step(
    db,
    window.key,
    settled(window, HUNG_UP).map((one) => ({ ...one, waitMs })),
    [],
  )
}

describe('whoever was turned back by a provider', () => {
  it('is known to have been, and whoever was not is not', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    await turnBack({ ...window, deliveries: window.deliveries.slice(0, 1) }, null)
    await releaseWindow(db, window.key, false)
    expect(turnedBackOf(await claim(db, campaign))).toEqual([true, false])
  })

  it('stays so where the next call never begins, and its reason is told as before', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1)
    await turnBack(await claim(db, campaign))
    await letTimePass(db, campaign)
    const again = await claim(db, campaign)
    await fence(db, again)
    await step(
      db,
      again.key,
      again.deliveries.map((one) => notBegun(one)),
      [],
    )
    await releaseWindow(db, again.key, false)
    const rows = db
      .selectFrom('deliveries')
      .select(['state', 'reason'])
      .where('campaign_id', '=', campaign.id)
    expect(await rows.execute()).toEqual([{ state: 'q', reason: 'it hung up' }])
    expect(turnedBackOf(await claim(db, campaign))).toEqual([true])
  })
})

describe('where those come last who were turned back', () => {
  it('a window in which somebody was not turned back is taken before all others', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 9)
    const windows: ClaimedWindow[] = []
    for (let place = 0; place < 9; place++) windows.push(await claim(db, campaign, { size: 1 }))
    for (const window of windows.slice(0, 8)) await turnBack(window, null)
    for (const { key } of windows) await releaseWindow(db, key, false)
    expect(seqsOf(await claim(db, campaign, UNHARMED_FIRST))).toEqual([9])
    expect(turnedBackOf(await claim(db, campaign, UNHARMED_FIRST)), 'and then any').toEqual([true])
  })

  it('those who come next in the list are taken before those whose time has come again', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign, { size: 1 })
    await turnBack(window)
    await releaseWindow(db, window.key, true)
    await letTimePass(db, campaign)
    expect(seqsOf(await claim(db, campaign, UNHARMED_FIRST))).toEqual([2, 3])
    expect(seqsOf(await claim(db, campaign, UNHARMED_FIRST))).toEqual([1])
  })
})
