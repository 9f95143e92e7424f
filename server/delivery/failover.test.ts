import { expect, inject, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { act, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aWayTo } from '../test/database-way.ts'
import { createGate } from '../test/gate.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { somethingSaidToTheBot, waitingForTheBot } from '../test/telegram-waiting.ts'
import { until } from '../test/until.ts'

it('a database that was put back, or failed over, under a running worker sends nothing before a person says so', async () => {
  const resend = await startResendSimulator()
  await using way = await aWayTo(inject('postgres').url)
  const env = { RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href }
  await using running = await aRunningApp(env, { databaseUrl: way.url })
  const { browser, userId } = await aUser(running)
  const gate = createGate()
  gate.shut()
  resend.lieBy(() => ({ kind: 'held', until: gate.pass() }))
  const { id } = await send(browser, { recipients: recipients(2_000) })
  gate.letThrough(3)
  await until('some are sent and others under way', async () => {
    const { counts } = await detail(browser, id)
    return counts.accepted >= 300 && resend.calls.length > 3
  })
  await somethingSaidToTheBot(running.db, { userId, id })
  way.behave('refuse')
  // As an older state knows another cluster, timeline or database than the one that it stands in.
  await running.db.updateTable('installation').set({ identity: '7041776/1/5/16384' }).execute()
  const { count: begun } = await running.db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('campaign_id', '=', id)
    .where('state', '<>', 'q')
    .executeTakeFirstOrThrow()
  way.behave('pass')
  gate.open()
  await until('it is held back', async () => {
    const run = running.db.selectFrom('runs').select('state').where('campaign_id', '=', id)
    return (await run.executeTakeFirstOrThrow()).state === 'paused'
  })
  await until('what was under way is written down', async () => {
    const held = running.db.selectFrom('delivery_windows').select('id').where('token', 'is not', null)
    return (await held.execute()).length === 0
  })
  expect(resend.ledger.length).toBeLessThanOrEqual(Number(begun))
  const paused = await detail(browser, id)
  expect(paused).toMatchObject({
    state: 'paused',
    pausedReason: expect.stringContaining('restored from a backup'),
  })
  expect(paused.counts).toMatchObject({ accepted: resend.ledger.length, inFlight: 0, failed: 0, unknown: 0 })
  // A press may have been done already; what was to be told is told by nobody else. The pause itself is news.
  expect(await waitingForTheBot(running.db)).toEqual({ updates: '0', alerts: '1', cards: '1' })
  await act(browser, id, 'resume')
  expect((await finished(browser, id)).counts).toMatchObject({ accepted: 2_000, failed: 0, unknown: 0 })
  expect(resend.ledger.flatMap(({ mail }) => mail.to).sort()).toEqual(recipients(2_000).sort())
  await expectCountsToAddUp(running.db)
  await resend.close()
})
