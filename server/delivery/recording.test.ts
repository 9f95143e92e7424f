import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aDelivery } from '../test/a-delivery.ts'
import { anEvent, aSentCampaign, HARD } from '../test/campaign-events.ts'
import { aStoredCampaign, claim, databaseOfFile, fence, states } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { recordEvents } from './store/events.ts'

const database = databaseOfFile()

const ACCOUNT = 'product'
const COMPLAINT = { kind: 'complained' } as const

/** Mails that were taken, and more to the same people in the hands of a worker. */
async function aClaimedWindow(size: number) {
  const sent = await aSentCampaign(database.db, size)
  const next = await aStoredCampaign(database.db, size, sent.userId)
  return { sent, next, window: await claim(database.db, next) }
}

describe('who complains or is gone for good gets none of the mails that a worker has claimed', () => {
  it.each([COMPLAINT, HARD])(
    'although the process that noted it died, once the provider repeats %j',
    async (kind) => {
      const { sent, next, window } = await aClaimedWindow(2)
      const event = anEvent(sent, 1, kind)
      // Noted, and nothing after it.
      for await (const _ of recordEvents(database.db, ACCOUNT, [event])) break
      await aDelivery(database.db).record(ACCOUNT, [event])
      expect((await fence(database.db, window)).fenced).toEqual(new Set([2]))
      expect(await states(database.db, next)).toBe('si')
    },
  )

  it('although the judgement of the shared address, which follows, fails', async () => {
    const { sent, window } = await aClaimedWindow(2)
    const { db } = database
    const claimToHaveDelivered = (delivered: number) =>
      db.updateTable('runs').set({ delivered }).where('campaign_id', '=', sent.id).execute()
    await claimToHaveDelivered(1_000)
    const delivery = aDelivery(db, {
      shared: {
        account: ACCOUNT,
        limits: { complaints: 0.01, bounces: 0 },
        paused: () => Promise.reject(new Error('the mail to the user could not be stored')),
      },
    })
    const recording = delivery.record(ACCOUNT, [anEvent(sent, 1, COMPLAINT)])
    await expect(recording).rejects.toThrow('could not be stored')
    await claimToHaveDelivered(0)
    expect((await fence(db, window)).fenced).toEqual(new Set([2]))
  })

  it('although another report of the same call waits for a lock, perhaps in vain', async () => {
    const { sent, next } = await aClaimedWindow(2)
    const { db } = database
    let recording = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`select from deliveries where campaign_id = ${sent.id} and seq = 2 for update`.execute(tx)
      recording = aDelivery(db).record(ACCOUNT, [anEvent(sent, 1, COMPLAINT), anEvent(sent, 2, COMPLAINT)])
      const given = recording.then(
        () => 'noted',
        () => 'given up',
      )
      const isLeftOut = until('the first is left out', async () => (await states(db, next)) === 'sq')
      expect(await Promise.race([given, isLeftOut.then(() => 'left out')])).toBe('left out')
    })
    await recording
    expect(await states(db, next)).toBe('ss')
  })
})
