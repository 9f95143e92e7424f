import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { detail, recipients, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { createGate } from '../test/gate.ts'
import { ownTime } from '../test/own-time.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { aStoredCampaign, expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

/** Far less than what a stop waits for an answer that never comes. */
const STOP_MS = 10_000

it('a worker that is told to stop puts nothing more in flight, although a claim of it still waits for the database', async () => {
  await using database = await freshDatabase()
  const other = await aStoredCampaign(database.db, 3)
  await setAside(database, other.id)
  const resend = await startResendSimulator()
  const gate = createGate()
  resend.lieBy(() => ({ kind: 'held', until: gate.pass() }))
  const env = { RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href }
  const running = await aRunningApp(env, { database })
  const { browser } = await aUser(running)
  gate.shut()
  gate.letThrough(1)
  const { id } = await send(browser, { recipients: recipients(1_500) })
  await until('the first mails have left', async () => (await detail(browser, id)).counts.accepted >= 100)

  const held = await holdDeliveries(database, other.id)
  await letBeDue(database, other.id)
  await until('the worker waits for the other campaign', () => isClaimWaiting(database))
  const stopping = running[Symbol.asyncDispose]()
  gate.open()
  await until('what was in flight is settled', async () => (await counts(database, id)).in_flight === 0)
  await held.end()
  const passed = ownTime()
  await stopping
  expect(passed()).toBeLessThan(STOP_MS)
  await resend.close()

  const { queued, accepted } = await counts(database, id)
  expect(resend.ledger).toHaveLength(accepted)
  // A few calls of a hundred were under way.
  expect(queued).toBeGreaterThan(500)
  expect(await counts(database, other.id)).toEqual({ queued: 3, in_flight: 0, accepted: 0 })
  expect(await windowsInHand(database)).toEqual([])
  await expectCountsToAddUp(database.db)
})

const counts = ({ db }: TestDatabase, id: string) =>
  db
    .selectFrom('runs')
    .select(['queued', 'in_flight', 'accepted'])
    .where('campaign_id', '=', id)
    .executeTakeFirstOrThrow()

const windowsInHand = ({ db }: TestDatabase) =>
  db.selectFrom('delivery_windows').select('campaign_id').where('token', 'is not', null).execute()

/** As if all of it had been claimed: a worker finds nothing to do with it. */
async function setAside({ db }: TestDatabase, id: string): Promise<void> {
  await db.updateTable('runs').set({ cursor: sql<number>`last_seq` }).where('campaign_id', '=', id).execute()
}

async function letBeDue({ db }: TestDatabase, id: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ next_try_at: sql<Date>`now()` })
    .where('campaign_id', '=', id)
    .execute()
}

/** Whoever wants to claim them waits until it is over; that they are due can be written, and seen. */
async function holdDeliveries({ db }: TestDatabase, id: string): Promise<{ end(): Promise<void> }> {
  const isHeld = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (tx) => {
    // Whoever holds a lock and does nothing for long is cut off, which is not what is looked at here.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from deliveries where campaign_id = ${id} for key share`.execute(tx)
    isHeld.resolve()
    await over.promise
  })
  await isHeld.promise
  return {
    async end() {
      over.resolve()
      await holding
    },
  }
}

async function isClaimWaiting({ db }: TestDatabase): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%next_try_at%for update'
    ) as waits`.execute(db)
  return rows[0]?.waits === true
}
