import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Transaction } from '../../platform/database.ts'
import { aStoredCampaign, databaseOfFile } from '../../test/stored-campaign.ts'
import { until } from '../../test/until.ts'
import { pauseAllOf } from './protection.ts'

const database = databaseOfFile()

it('all campaigns of a user are paused in the order in which reports count them', async () => {
  const { db } = database
  const { id: later, userId } = await aStoredCampaign(db, 1)
  let { id: earlier } = await aStoredCampaign(db, 1, userId)
  while (earlier > later) earlier = (await aStoredCampaign(db, 1, userId)).id
  const lock = (tx: Transaction, id: string) =>
    sql`select from runs where campaign_id = ${id} for no key update`.execute(tx)
  let pausing: ReturnType<typeof pauseAllOf> | undefined
  await db.transaction().execute(async (counting) => {
    await lock(counting, earlier)
    pausing = db
      .transaction()
      .execute((tx) => pauseAllOf(tx, { userId, account: 'product', reason: 'too many' }))
    await until('it waits', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
      return rows.length > 0
    })
    await lock(counting, later)
  })
  expect((await pausing)?.map(({ id }) => id)).toEqual(expect.arrayContaining([earlier, later]))
})
