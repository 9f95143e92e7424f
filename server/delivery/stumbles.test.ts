import { describe, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startScriptedRelay } from '../test/simulators/smtp-script.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

/** A relay that hangs up as soon as it hears a name that begins with "cursed", and takes all else. */
async function aStage() {
  const relay = await startScriptedRelay({
    RCPT({ line, socket }) {
      if (!line.includes('<cursed')) return '250 recipient'
      socket.destroy()
      return null
    },
  })
  const running = await aRunningApp({ SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
  return {
    running,
    async [Symbol.asyncDispose]() {
      await expectCountsToAddUp(running.db)
      await running[Symbol.asyncDispose]()
      await relay.close()
    },
  }
}

const isPaused = async ({ browser }: SignedIn, id: string): Promise<boolean> =>
  (await detail(browser, id)).state === 'paused'

/** Whoever waits for another try gets it now. */
const tryAgain = ({ db }: RunningApp) =>
  db.updateTable('deliveries').set({ next_try_at: new Date() }).where('next_try_at', 'is not', null).execute()

// Breakers wait, so these wait side by side.
describe.concurrent('where the relay hangs up whenever it hears of', () => {
  it('one person, the others of the campaign are sent, and the tries are counted like those of a refusal', async () => {
    await using stage = await aStage()
    const { browser } = await aUser(stage.running)
    const { id } = await send(browser, { recipients: ['cursed@example.test', ...recipients(40)] })
    await until('all others are sent', async () => (await detail(browser, id)).counts.accepted === 40, 60_000)
    await until(
      'it is this mail that is not taken',
      async () => {
        await tryAgain(stage.running)
        const [cursed] = await deliveries(browser, id, '?state=queued')
        return (cursed?.attempts ?? 0) >= 2
      },
      60_000,
    )
    expect((await detail(browser, id)).counts).toMatchObject({ accepted: 40, failed: 0, unknown: 0 })
  })

  it('one campaign, another user waits for a probe and not for that campaign', async () => {
    await using stage = await aStage()
    const cursed = await aUser(stage.running)
    const { id } = await send(cursed.browser, { recipients: recipients(50, 'cursed') })
    await until('the outage shows', () => isPaused(cursed, id))
    const { browser } = await aUser(stage.running)
    const other = await send(browser, { recipients: ['ann@example.test'] })
    const done = await finished(browser, other.id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 1 })
    expect((await detail(cursed.browser, id)).counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
  })

  it('the newest campaign of a user, an older one that is resumed is sent all the same', async () => {
    await using stage = await aStage()
    const user = await aUser(stage.running)
    const { id } = await send(user.browser, { recipients: recipients(50, 'cursed') })
    await until('the outage shows', () => isPaused(user, id))
    const older = await send(user.browser, { recipients: ['ann@example.test'] })
    await stage.running.db
      .updateTable('runs')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .where('campaign_id', '=', older.id)
      .execute()
    const done = await finished(user.browser, older.id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 1 })
    expect((await detail(user.browser, id)).counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
  })
})
