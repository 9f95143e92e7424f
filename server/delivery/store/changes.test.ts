import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { aStoredCampaign, claim, expectCountsToAddUp } from '../../test/stored-campaign.ts'
import { queueAgain, setRunState, sweepCancelled } from './changes.ts'

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
