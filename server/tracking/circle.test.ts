import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { aTrackedCampaign, oneClick, pixelPath, unsubscribePath } from '../test/tracked-mails.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
})

const someone = (count: number): string[] => Array.from({ length: count }, () => anAddress('circle'))

async function firstMail(app: RunningApp, { browser }: SignedIn, recipients: string[]) {
  await finished(browser, (await send(browser, { recipients })).id)
  return app.mails.latest(recipients[0] ?? '')
}

const set = async ({ browser }: SignedIn, change: Record<string, unknown>): Promise<void> => {
  const answer = await browser.post('/api/settings', {
    fromName: 'Ann',
    fromEmail: '',
    ...change,
  })
  if (answer.status !== 200) throw new Error(answer.text)
}

describe('a mail', () => {
  it('to two people can be left by header, link and text; to one only if the user wants it always', async () => {
    const ann = await aUser(running)
    const toTwo = await firstMail(running, ann, someone(2))
    expect(unsubscribePath(toTwo)).toMatch(/^\/u\/[\w-]{48}$/)
    expect(toTwo.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(toTwo.html).toContain(unsubscribePath(toTwo))
    expect(toTwo.text).toContain(unsubscribePath(toTwo))

    const toOne = await firstMail(running, ann, someone(1))
    expect(toOne.headers).not.toHaveProperty('List-Unsubscribe')
    expect(toOne.headers).not.toHaveProperty('List-Unsubscribe-Post')
    expect(toOne.html + toOne.text).not.toContain('/u/')

    await set(ann, { alwaysUnsubscribe: true })
    expect(unsubscribePath(await firstMail(running, ann, someone(1)))).not.toBeNull()
  })

  it('carries the picture, unless the user or the operator wants no tracking', async () => {
    const ann = await aUser(running)
    expect(pixelPath(await firstMail(running, ann, someone(1)))).toMatch(/^\/t\/[\w-]{48}\.gif$/)
    await set(ann, { trackOpens: false })
    expect(pixelPath(await firstMail(running, ann, someone(1)))).toBeNull()

    await using untracked = await aRunningApp({ TRACK_OPENS: 'off' })
    const mail = await firstMail(untracked, await aUser(untracked), someone(2))
    expect(pixelPath(mail)).toBeNull()
    expect(unsubscribePath(mail)).not.toBeNull()
  })
})

describe('the whole circle', () => {
  it('three get a mail, one leaves by its header, and the next send names and leaves out that one', async () => {
    const ann = await aUser(running)
    const everybody = someone(3)
    const [, leaver] = await aTrackedCampaign(running, ann, everybody)
    if (!leaver) throw new Error('no mail')
    expect(await oneClick(running, leaver.page)).toMatchObject({ status: 200 })

    const again = await send(ann.browser, { recipients: everybody })
    expect(again).toMatchObject({ recipients: 3, suppressed: [leaver.address] })
    const { counts } = await finished(ann.browser, again.id)
    expect(counts).toMatchObject({ accepted: 2, suppressed: 1 })
    expect(await running.mails.all(leaver.address)).toHaveLength(1)
    const [item] = await deliveries(ann.browser, again.id, '?state=suppressed')
    expect(item).toMatchObject({
      address: leaver.address,
      reason: 'Left out: this person has unsubscribed',
    })
    expect((await detail(ann.browser, leaver.id)).counts.accepted).toBe(3)
  })
})
