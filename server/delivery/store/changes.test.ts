import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { aStoredCampaign, claim, expectCountsToAddUp, fence, settled } from '../../test/stored-campaign.ts'
import { pauseAllRestored, queueAgain, setRunState, sweepCancelled } from './changes.ts'
import { step } from './steps.ts'

it('a long list is cancelled, and what failed of it queued again, although nearly all others are short', async () => {
  await using database = await freshDatabase()
  const { db } = database
  // As the planner finds it in the moments before it has looked at the new rows.
  await sql`alter table deliveries set (autovacuum_enabled = false)`.execute(db)
  for (let short = 0; short < 300; short++) await aStoredCampaign(db, 2)
  await sql`analyze deliveries`.execute(db)
  const { id, userId } = await aStoredCampaign(db, 12_000)
  await claim(db, { id, userId })

  // A bad plan does not end before the query is given up.
  await setRunState(db, userId, id, { from: ['sending'], to: 'cancelled' })
  while (await sweepCancelled(db, id, { mayTakeOver: false }));
  await expectCountsToAddUp(db)

  await sql`update deliveries set state = 'f' where campaign_id = ${id}`.execute(db)
  await sql`update runs set cancelled = 0, failed = 12000 where campaign_id = ${id}`.execute(db)
  expect(await queueAgain(db, userId, id, 'f')).toBe(12_000)
  await expectCountsToAddUp(db)
})

it.each([
  ['ended', 0, { state: 'sending', paused_reason: null, queued: 2, is_open: true }],
  ['has more to send', 1, { state: 'paused', paused_reason: 'as asked', queued: 3, is_open: true }],
])(
  'a campaign that was paused and %s is sent again by a retry only if nobody can resume it',
  async (_, left, run) => {
    await using database = await freshDatabase()
    const { db } = database
    const { id, userId } = await aStoredCampaign(db, 2 + left)
    const window = await claim(db, { id, userId })
    const underWay = { ...window, deliveries: window.deliveries.slice(0, 2) }
    await fence(db, underWay)
    await db.updateTable('runs').set({ state: 'paused', paused_reason: 'as asked' }).execute()
    await step(db, window.key, settled(underWay, { kind: 'rejected', reason: 'no' }), [])
    expect(await queueAgain(db, userId, id, 'f')).toBe(2)
    expect(
      await db
        .selectFrom('runs')
        .select(['state', 'paused_reason', 'queued', 'is_open'])
        .where('campaign_id', '=', id)
        .executeTakeFirst(),
    ).toEqual(run)
    await expectCountsToAddUp(db)
  },
)

it('in a restored copy every campaign under way says so first, and whatever it was paused for behind it, once', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const restored = () => db.transaction().execute(pauseAllRestored)
  const runs = () =>
    db.selectFrom('runs').select(['state', 'paused_reason as why']).orderBy('rounds').execute()
  const before = [
    { state: 'sending', paused_reason: null },
    { state: 'paused', paused_reason: null },
    { state: 'paused', paused_reason: 'Paused to protect everybody' },
    { state: 'cancelled', paused_reason: null },
    { state: 'paused', paused_reason: 'as asked', is_open: false },
  ]
  for (const [rounds, run] of before.entries()) {
    const { id } = await aStoredCampaign(db, 1)
    await db
      .updateTable('runs')
      .set({ ...run, rounds })
      .where('campaign_id', '=', id)
      .execute()
  }
  expect(await restored()).toBe(3)
  const sentence =
    'This database was restored from a backup, and mail may have been sent since the backup was made. Check, then resume or cancel'
  const after = [
    { state: 'paused', why: sentence },
    { state: 'paused', why: sentence },
    { state: 'paused', why: `${sentence}. Paused to protect everybody` },
    { state: 'cancelled', why: null },
    { state: 'paused', why: 'as asked' },
  ]
  expect(await runs()).toEqual(after)
  // A copy of the copy.
  expect(await restored()).toBe(3)
  expect(await runs()).toEqual(after)
})
