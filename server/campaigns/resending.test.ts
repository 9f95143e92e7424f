import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CampaignRecipients } from '../../contract/campaigns.ts'
import { aUser, type SignedIn, signedIn } from '../test/accounts.ts'
import { finished, recipients, send } from '../test/campaigns.ts'
import { expectBelow, longestTurn } from '../test/computing.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoredCampaign } from '../test/stored-campaign.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(() => running[Symbol.asyncDispose]())

async function everybody(id: string, browser = ann.browser): Promise<string[]> {
  const answer = await browser.get(`/api/email-history/${id}/recipients`)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return (answer.json() as CampaignRecipients).recipients
}

it('everybody a campaign went to is listed as typed, in the order of the list, each once', async () => {
  const typed = [
    'zoe@example.test',
    'Bob <bob@example.test>',
    '"Miller, Ann" <ann@example.test>',
    'ZOE@Example.test',
    'Another Bob <BOB@example.test>',
    'adam@example.test',
  ]
  const { id } = await send(ann.browser, { recipients: typed })
  const listed = await everybody(id)
  expect(listed).toEqual([typed[0], typed[1], typed[2], typed[5]])
  const again = await send(ann.browser, { recipients: listed })
  expect(await everybody(again.id)).toEqual(listed)
  await finished(ann.browser, again.id)
})

it('a list of several pages is whole', async () => {
  const { id } = await send(ann.browser, { recipients: recipients(4_000) })
  expect(await everybody(id)).toEqual(recipients(4_000))
})

it('120,000 of them are read without keeping others waiting', { tags: 'thorough' }, async () => {
  await using web = await aRunningApp({ ROLES: 'web' })
  const { id, userId } = await aStoredCampaign(web.db, 120_000)
  const browser = await signedIn(web, userId)
  const readAll = async () => {
    const response = await web.app.http.inject({
      method: 'GET',
      url: `/api/email-history/${id}/recipients`,
      headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      payloadAsStream: true,
    })
    let bytes = 0
    for await (const piece of response.stream()) bytes += piece.length
    expect(bytes).toBeGreaterThan(1_500_000)
  }
  await expectBelow(50, () => longestTurn(readAll))
})
