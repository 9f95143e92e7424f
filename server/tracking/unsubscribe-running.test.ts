import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeliveryTokens } from '../delivery/tokens.ts'
import { createSecrets } from '../platform/secrets.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { createGate } from '../test/gate.ts'
import { aRunningApp, type RunningApp, TEST_KEY } from '../test/running-app.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { oneClick } from '../test/tracked-mails.ts'
import { until } from '../test/until.ts'

let resend: ResendSimulator
let running: RunningApp
let ann: SignedIn
const gate = createGate()
/** When each call came in, beside the simulator's own list of them. */
const callTimes: number[] = []

beforeAll(async () => {
  resend = await startResendSimulator()
  resend.lieBy(() => {
    callTimes.push(performance.now())
    return { kind: 'held', until: gate.pass() }
  })
  running = await aRunningApp({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href })
  ann = await aUser(running)
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
  await resend.close()
})

const COUNT = 2_000
const { linkToken } = createDeliveryTokens(createSecrets(TEST_KEY))

/** People who all have a mail already, and now get the next: what tells them apart is their place in the list. */
async function underWay(
  name: string,
): Promise<{ id: string; everybody: string[]; link(seq: number): string }> {
  const everybody = recipients(COUNT, name)
  gate.open()
  const earlier = await send(ann.browser, { recipients: everybody })
  await finished(ann.browser, earlier.id)
  // Of twenty calls, of which a few are made at once, the first is answered; the others when the test says so.
  gate.shut()
  gate.letThrough(1)
  const { id } = await send(ann.browser, { recipients: everybody })
  await until('the first have left', async () => (await detail(ann.browser, id)).counts.accepted >= 100)
  return { id, everybody, link: (seq) => `/u/${linkToken({ campaignId: earlier.id, seq })}` }
}

/** The last that is queued, in a window that a worker holds, or in none. */
async function lastQueued(id: string, where: 'claimed' | 'unclaimed'): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from deliveries d
    where campaign_id = ${id} and state = 'q' and ${where === 'claimed'} = exists (
      select from delivery_windows w
      where w.campaign_id = d.campaign_id and w.token is not null and d.seq = any(w.seqs))`.execute(
    running.db,
  )
  return rows[0]?.seq ?? 0
}

const stateOf = async (id: string, seq: number): Promise<string> => {
  const row = running.db.selectFrom('deliveries').select('state').where('campaign_id', '=', id)
  return String((await row.where('seq', '=', seq).executeTakeFirstOrThrow()).state)
}

/** When calls with a mail to this address began, in this campaign. */
const callsTo = (address: string, id: string): number[] =>
  resend.calls.flatMap(({ body }, index) =>
    body.includes(`"${address}"`) && body.includes(id.replaceAll('-', '')) ? [callTimes[index] ?? 0] : [],
  )

describe('R23: unsubscribing while a campaign is being sent', () => {
  for (const where of ['claimed', 'unclaimed'] as const)
    it(`no call to an address begins that was queued and ${where}, and it ends as suppressed`, {
      tags: where === 'claimed' ? [] : 'thorough',
    }, async () => {
      const { id, everybody, link } = await underWay(where)
      const left: string[] = []
      // A worker may put somebody in flight while we press the button; then it is another's turn.
      await until(`somebody who was queued and ${where} has left`, async () => {
        const seq = await lastQueued(id, where)
        if (seq === 0) {
          gate.letThrough(1)
          return false
        }
        expect(await oneClick(running, link(seq))).toMatchObject({ status: 200 })
        const state = await stateOf(id, seq)
        expect(state).not.toBe('q')
        if (state === 's') left.push(everybody[seq - 1] ?? '')
        return state === 's'
      })
      const leaver = left[0] ?? ''
      gate.open()

      const { counts } = await finished(ann.browser, id)
      expect(callsTo(leaver, id)).toEqual([])
      expect(callsTo(everybody[0] ?? '', id)).toHaveLength(1)
      const [item] = await deliveries(ann.browser, id, `?q=${leaver}`)
      expect(item).toMatchObject({ address: leaver, state: 'suppressed' })
      expect(counts.suppressed).toBeGreaterThan(0)
      expect(counts.accepted + counts.suppressed).toBe(COUNT)
    })

  it('whoever leaves, wherever their mail is, no call to them begins a second after the answer', async () => {
    const { id, everybody, link } = await underWay('anybody')
    const answeredAt = new Map<string, number>()
    for (let seq = 1; seq <= COUNT; seq += 100) {
      expect(await oneClick(running, link(seq))).toMatchObject({ status: 200 })
      answeredAt.set(everybody[seq - 1] ?? '', performance.now())
      // Calls begin meanwhile, and never so many that the last ones are reached before they have left.
      if (seq % 400 === 1) gate.letThrough(1)
    }
    gate.open()
    const { counts } = await finished(ann.browser, id)
    const called = [...answeredAt].map(([address, at]) => callsTo(address, id).map((began) => began - at))
    expect(called.flat().filter((after) => after > 1_000)).toEqual([])
    const reached = called.filter(({ length }) => length > 0).length
    expect(counts).toMatchObject({
      accepted: COUNT - answeredAt.size + reached,
      suppressed: answeredAt.size - reached,
    })
    expect(reached).toBeLessThan(answeredAt.size)
  })
})
