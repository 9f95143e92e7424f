import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deliveryTag } from '../delivery/identity.ts'
import { createDeliveryTokens } from '../delivery/tokens.ts'
import { createSecrets } from '../platform/secrets.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp, TEST_KEY } from '../test/running-app.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { oneClick } from '../test/tracked-mails.ts'
import { until } from '../test/until.ts'

let resend: ResendSimulator
let running: RunningApp
let ann: SignedIn
/** When each call came in, beside the simulator's own list of them. */
const callTimes: number[] = []

beforeAll(async () => {
  resend = await startResendSimulator()
  resend.lieBy(() => {
    callTimes.push(performance.now())
    return { kind: 'delay', ms: 300 }
  })
  running = await aRunningApp({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href })
  ann = await aUser(running)
})
afterEach(() => expectCountsToAddUp(running.db))
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await resend.close()
})

const { linkToken } = createDeliveryTokens(createSecrets(TEST_KEY))

/** Somebody who has a mail of an earlier campaign, and with it a link. */
async function aReader(address: string): Promise<string> {
  const { id } = await send(ann.browser, { recipients: [address, `other-${address}`] })
  await finished(ann.browser, id)
  const [first] = await deliveries(ann.browser, id)
  if (first?.address !== address) throw new Error('another order than expected')
  return `/u/${linkToken({ campaignId: id, seq: 1 })}`
}

/** When calls with a mail to this address began, in this campaign. */
const callsTo = (address: string, id: string): number[] =>
  resend.calls.flatMap(({ body }, index) =>
    body.includes(`"${address}"`) && body.includes(deliveryTag(id, 1).split('-')[0] ?? '')
      ? [callTimes[index] ?? 0]
      : [],
  )

describe('R23: unsubscribing while a campaign is being sent', () => {
  it.each([
    ['far behind what is being sent', 1_480],
    ['in the window that a worker holds', 700],
    ['among the next to go', 320],
  ])('%s: no call to that address begins a second after the answer', async (_, place) => {
    const everybody = recipients(1_500, `run${place}-`)
    const leaver = everybody[place - 1] ?? ''
    const link = await aReader(leaver)
    const { id } = await send(ann.browser, { recipients: everybody })
    await until('the first have left', async () => (await detail(ann.browser, id)).counts.accepted >= 100)
    expect(await oneClick(running, link)).toMatchObject({ status: 200 })
    const answeredAt = performance.now()

    const { counts } = await finished(ann.browser, id)
    expect(callsTo(everybody[0] ?? '', id)).toHaveLength(1)
    const late = callsTo(leaver, id).filter((at) => at > answeredAt + 1_000)
    expect(late).toEqual([])
    const [item] = await deliveries(ann.browser, id, `?q=${leaver}`)
    // Only who was in flight already has got the mail.
    const isGone = callsTo(leaver, id).length > 0
    expect(item?.state).toBe(isGone ? 'accepted' : 'suppressed')
    expect(counts).toMatchObject({ accepted: isGone ? 1_500 : 1_499, suppressed: isGone ? 0 : 1 })
    if (place > 500) expect(isGone).toBe(false)
  })
})
