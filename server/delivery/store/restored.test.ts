import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { noticeRestore } from '../../platform/installation.ts'
import { freshDatabase } from '../../test/database.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  fence,
  REFUSED,
  type StoredCampaign,
  settled,
  states,
  tryClaim,
} from '../../test/stored-campaign.ts'
import { pauseAllRestored, queueAgain, setRunState, sweepCancelled } from './changes.ts'
import { step } from './steps.ts'
import { leaveOutQueued } from './suppressed.ts'

const database = databaseOfFile()

let files = 0
/** Its files have come to another place, again and again. */
async function restore(db = database.db): Promise<number> {
  let held = Number.NaN
  await noticeRestore(db, `files ${files++}`, async () => {})
  await noticeRestore(db, `files ${files++}`, async (tx) => {
    held = await pauseAllRestored(tx)
  })
  return held
}

const resume = ({ id, userId }: StoredCampaign) =>
  setRunState(database.db, userId, id, { from: ['paused'], to: 'sending' })

async function cancel({ id, userId }: StoredCampaign): Promise<void> {
  await setRunState(database.db, userId, id, { from: ['sending', 'paused'], to: 'cancelled' })
  await sweepCancelled(database.db, id, { mayTakeOver: false })
}

/** By the one call of their window. */
async function refuse(campaign: StoredCampaign): Promise<void> {
  const window = await claim(database.db, campaign)
  await fence(database.db, window)
  await step(database.db, window.key, settled(window, REFUSED), [])
}

async function leaveOut({ userId }: StoredCampaign): Promise<void> {
  await sql`insert into suppressions (user_id, address_key, address, reason)
    values (${userId}, 'r1@x.test', 'r1@x.test', 'u')`.execute(database.db)
  await leaveOutQueued(database.db, userId, ['r1@x.test'])
}

const reasonOfFirst = async ({ id }: StoredCampaign): Promise<string | null | undefined> => {
  const row = database.db.selectFrom('deliveries').select('reason').where('campaign_id', '=', id)
  return (await row.where('seq', '=', 1).executeTakeFirst())?.reason
}

const OR_NOT = '; the original of this restored database may have sent it'

describe('who waited when the copy was made may have got the mail from the original, and is unconfirmed', () => {
  it.each([
    ['cancelled', cancel, 'Cancelled before it was sent', 'c'],
    ['left out', leaveOut, 'Left out: this person has unsubscribed', 's'],
    ['refused', refuse, '550 spam', 'f'],
  ])('when they are %s there', async (_, end, reason, otherwise) => {
    const campaign = await aStoredCampaign(database.db, 1)
    await restore()
    await resume(campaign)
    await end(campaign)
    expect(await states(database.db, campaign)).toBe('u')
    expect(await reasonOfFirst(campaign)).toBe(reason + OR_NOT)
    // The copy knows all of what is begun in it.
    const begunThere = await aStoredCampaign(database.db, 1)
    await end(begunThere)
    expect(await states(database.db, begunThere)).toBe(otherwise)
    expect(await reasonOfFirst(begunThere)).toBe(reason)
  })
})

it('who is sent to again after a cancel there is in one hand only, and what is answered counts', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  await restore()
  await cancel(campaign)
  expect(await queueAgain(db, campaign.userId, campaign.id, 'u')).toBe(3)
  const window = await claim(db, campaign)
  expect(window.deliveries.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(await tryClaim(db, campaign)).toBeNull()
  await fence(db, window)
  await step(db, window.key, settled(window, ACCEPTED), [])
  expect(await states(db, campaign)).toBe('aaa')
})

it('no row of a campaign that has ended is written for it: what is many must not keep a start waiting', async () => {
  const campaign = await aStoredCampaign(database.db, 1)
  await refuse(campaign)
  const version = async () =>
    (
      await sql<{ xmin: string }>`select xmin from runs where campaign_id = ${campaign.id}`.execute(
        database.db,
      )
    ).rows[0]?.xmin
  const before = await version()
  await restore()
  expect(await version()).toBe(before)
})

it('who had failed when the copy was made is unconfirmed when a retry there is refused, for the original may have made one', async () => {
  const campaign = await aStoredCampaign(database.db, 1)
  await refuse(campaign)
  expect(await restore()).toBe(0)
  expect(await queueAgain(database.db, campaign.userId, campaign.id, 'f')).toBe(1)
  await refuse(campaign)
  expect(await states(database.db, campaign)).toBe('u')
  expect(await reasonOfFirst(campaign)).toBe(`550 spam${OR_NOT}`)
})

it('in a restored copy every campaign under way says so first, and whatever it was paused for behind it, once', async () => {
  await using fresh = await freshDatabase()
  const { db } = fresh
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
  expect(await restore(db)).toBe(3)
  const sentence =
    'This database was restored from a backup, or took the place of another, and mail may have been sent that it does not know of. Check, then resume or cancel'
  const after = [
    { state: 'paused', why: sentence },
    { state: 'paused', why: sentence },
    { state: 'paused', why: `${sentence}. Paused to protect everybody` },
    { state: 'cancelled', why: null },
    { state: 'paused', why: 'as asked' },
  ]
  expect(await runs()).toEqual(after)
  // A copy of the copy.
  expect(await restore(db)).toBe(3)
  expect(await runs()).toEqual(after)
})
