import { expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { detail, recipients, send } from '../test/campaigns.ts'
import { aStageWithCursed } from '../test/cursed-stage.ts'
import { until } from '../test/until.ts'
import { setRunState } from './store/changes.ts'
import { holdAccount } from './store/holds.ts'

it('whether a relay is back is shown by somebody whom it has not turned back, though many others are next', {
  tags: 'thorough',
}, async () => {
  await using stage = await aStageWithCursed()
  const { relay, running } = stage
  const { db } = running
  // As earlier outages leave it: those at whom the relay hung up are in windows of their own.
  await holdAccount(db, 'product', { milliseconds: 3_600_000, outage: null, isAsked: true })
  const { browser, userId } = await aUser(running)
  const { id } = await send(browser, { recipients: [...recipients(8, 'cursed-too'), 'ann@example.test'] })
  await setRunState(db, userId, id, { from: ['sending'], to: 'paused' })
  await db.updateTable('runs').set({ cursor: 8 }).where('campaign_id', '=', id).execute()
  const turnedBack = db.updateTable('deliveries').set({ reason: 'it hung up' }).where('campaign_id', '=', id)
  await turnedBack.where('seq', '<=', 8).execute()
  const windows = Array.from({ length: 8 }, (_, index) => ({ campaign_id: id, seqs: [index + 1] }))
  await db.insertInto('delivery_windows').values(windows).execute()
  await db.deleteFrom('account_holds').execute()

  const another = await aUser(running)
  const breaking = await send(another.browser, { recipients: recipients(50, 'cursed') })
  const isPaused = async () => (await detail(another.browser, breaking.id)).state === 'paused'
  await until('the outage shows', isPaused)
  await setRunState(db, userId, id, { from: ['paused'], to: 'sending' })
  await until('Ann has her mail', async () => (await detail(browser, id)).counts.accepted === 1, 60_000)
  const asked = relay.lines.filter((line) => /^RCPT.*<(ann|cursed-too)/.test(line))
  expect(asked[0]).toContain('<ann@example.test>')
})
