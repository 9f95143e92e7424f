import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { anAddress, aUser } from '../test/accounts.ts'
import { finished, send } from '../test/campaigns.ts'
import { closedAfterEach } from '../test/closing.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startScriptedRelay } from '../test/simulators/smtp-script.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { pixelPath } from '../test/tracked-mails.ts'
import { until } from '../test/until.ts'

const opened = closedAfterEach()

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'

it('a mail that is looked through, before it is refused or after, is not sent by that', async () => {
  const relay = opened(
    await startScriptedRelay({
      async '.'() {
        if (relay.messages.length === 1) await looksThrough(relay.messages[0])
        return '550 5.7.1 spam'
      },
    }),
  )
  await using running = await aRunningApp({ SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
  const ann = await aUser(running)
  async function looksThrough(message = ''): Promise<void> {
    const { html = '' } = await PostalMime.parse(message)
    const headers = { 'user-agent': CHROME }
    await running.browser().send({ method: 'GET', path: pixelPath({ html }) ?? '', headers })
  }
  const { id } = await send(ann.browser, { recipients: [anAddress(), anAddress()] })
  await finished(ann.browser, id)
  // By a sandbox that takes its time.
  await sql`update deliveries set in_flight_at = in_flight_at - interval '1 minute'`.execute(running.db)
  await looksThrough(relay.messages[1])
  const noted = () =>
    running.db
      .selectFrom('runs')
      .select(['machine_opened', 'opened', 'accepted', 'failed'])
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
  await until('both are noted', async () => (await noted()).machine_opened === 2)
  expect(await noted()).toEqual({ machine_opened: 2, opened: 0, accepted: 0, failed: 2 })
  await expectCountsToAddUp(running.db)
})
