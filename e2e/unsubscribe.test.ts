import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Suppression } from '../contract/suppressions.ts'
import { finished, send } from '../server/test/campaigns.ts'
import { unsubscribePath } from '../server/test/tracked-mails.ts'
import { axe } from './axe.ts'
import { findOverflow, findSmallTargets } from './fingers.ts'
import { anAddress, journey as it, type Member, PATIENCE_MS, screenshot } from './harness.ts'
import { looksOf, wear } from './looks.ts'
import type { Site } from './site.ts'
import { SUPPRESSIONS, suppress } from './suppressions-steps.ts'

/** Of a length that a narrow page has to break. */
const SENDER = 'Ann of the Society for the Preservation of Post Horns'

async function aLink(site: Site, member: Member): Promise<{ path: string; address: string }> {
  const client = await member.client()
  const address = anAddress('a-reader-with-quite-a-long-name-in-front-of-the-')
  const { id } = await send(client, { recipients: [address, anAddress('other')], senderName: SENDER })
  await finished(client, id)
  const path = unsubscribePath(await site.mails.latest(address))
  if (!path) throw new Error('the mail has no link')
  return { path, address }
}

/** In every theme and width: nothing for axe, nothing beyond the edge, nothing too small to press. */
async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const look of looksOf({})) {
    await wear(page, look)
    expect((await axe(page)).join('\n'), `${name}, ${look.name}`).toBe('')
    expect(await findOverflow(page), `${name}, ${look.name}`).toEqual([])
    expect(await findSmallTargets(page), `${name}, ${look.name}`).toEqual([])
    await screenshot(page, `unsubscribe ${name} ${look.name}`)
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the page to unsubscribe', () => {
  it('is left and come back to by buttons alone, without a script', async ({ browser, site, member }) => {
    const { path, address } = await aLink(site, member)
    const context = await browser.newContext({ baseURL: site.origin, javaScriptEnabled: false })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    await page.goto(path)
    await heading(page, 'Do you want to unsubscribe?')
    expect(await page.getByRole('main').innerText()).toContain(
      `${SENDER} will then send no more emails to ${address}.`,
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, 'You are unsubscribed')
    await page.goto(path)
    await heading(page, 'You are unsubscribed')
    await page.getByRole('button', { name: 'I want these emails again' }).click()
    await heading(page, 'You are subscribed again')
    await page.reload()
    await heading(page, 'You are subscribed again')
    await page.goto(path)
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
    await context.close()
  })

  it('is accessible in light, dark and at 390 px, in all its states', { tags: 'thorough' }, async ({
    page,
    site,
    member,
  }) => {
    const { path, address } = await aLink(site, member)
    await page.goto(path)
    await expectGoodLooks(page, 'question')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await heading(page, 'You are unsubscribed')
    await expectGoodLooks(page, 'done')
    await page.getByRole('button', { name: 'I want these emails again' }).click()
    await heading(page, 'You are subscribed again')
    await expectGoodLooks(page, 'undone')
    await suppress(site, member.userId, [{ address, reason: 'soft-bounces' }])
    await page.goto(path)
    await heading(page, 'You get no emails from this sender')
    await expectGoodLooks(page, 'left out')
    await site.db.updateTable('suppressions').set({ reason: 'c' }).where('address', '=', address).execute()
    await page.reload()
    await page.getByText('reported as spam').waitFor()
    await expectGoodLooks(page, 'complained')
  })

  it('lets somebody leave who is on the list for another reason', { tags: 'thorough' }, async ({
    page,
    site,
    member,
  }) => {
    const { path, address } = await aLink(site, member)
    await suppress(site, member.userId, [{ address, reason: 'manual' }])
    const reason = async () => {
      const answer = await (await member.client()).get(`${SUPPRESSIONS}?q=${encodeURIComponent(address)}`)
      return (answer.json() as Suppression[]).map((entry) => entry.reason)
    }
    await page.goto(path)
    await heading(page, 'You get no emails from this sender')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await heading(page, 'You are unsubscribed')
    expect(await reason()).toEqual(['unsubscribed'])
    await page.getByRole('button', { name: 'I want these emails again' }).click()
    await heading(page, 'You get no emails from this sender')
    expect(await reason()).toEqual(['manual'])
  })

  it('says in words that a link does not work', async ({ page, expectRefusal }) => {
    expectRefusal('/u/cut-off')
    await page.goto('/u/cut-off')
    await heading(page, 'This link does not work')
    await expectGoodLooks(page, 'unknown')
  })
})
