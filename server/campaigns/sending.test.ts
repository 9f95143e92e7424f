import { expect, it } from 'vitest'
import { anAccount } from '../test/accounts.ts'
import { deliveries, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp } from '../test/running-app.ts'

it('brings a letter to each recipient and accounts for every one', async () => {
  await using running = await aRunningApp()
  const { browser } = await anAccount(running)
  const { id, recipients: count } = await send(browser, { recipients: recipients(250) })
  expect(count).toBe(250)
  const done = await finished(browser, id)
  expect(done).toMatchObject({ status: 'sent', state: 'done', successfulCount: 250, recipientCount: 250 })
  expect(done.counts).toEqual({
    queued: 0,
    inFlight: 0,
    accepted: 250,
    failed: 0,
    unknown: 0,
    suppressed: 0,
    cancelled: 0,
  })
  const items = await deliveries(browser, id)
  expect(new Set(items.map(({ address }) => address))).toEqual(new Set(recipients(250)))
  expect(await running.mails.all('r7@example.test')).toHaveLength(1)
})
