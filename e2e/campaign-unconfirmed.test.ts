import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openCampaign } from './campaign-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { moveOn } from './history-campaigns.ts'
import type { Site } from './site.ts'
import { button, holdBack } from './steps.ts'
import { expectToast } from './toasts.ts'

const question = (page: Page): Locator => page.getByRole('dialog', { name: 'Resend to unconfirmed?' })
const named = (page: Page): Promise<string[]> =>
  question(page).getByRole('list', { name: 'Unconfirmed recipients' }).getByRole('listitem').allInnerTexts()
const resend = (page: Page, count: number): Locator =>
  question(page).getByRole('button', { name: `Resend to ${count}`, exact: true })

/** Where the names come from. */
const firstOf = (id: string): string => `/api/email-history/${id}/deliveries?state=unknown&limit=10`

/** r1 is unconfirmed, r2 and r3 were on their way when it was paused. */
async function ask(page: Page, site: Site): Promise<string> {
  const id = await openCampaign(page, site, { letters: { u: 1, i: 2, a: 1 }, state: 'paused' })
  await button(page, 'Resend to unconfirmed').click()
  await eventually(() => named(page)).toEqual(['r1@example.test'])
  await eventually(() => resend(page, 1).isEnabled()).toBe(true)
  return id
}

const MAY_GROW =
  'Mails of this campaign are still on their way and may become unconfirmed as well, so nobody was sent it again. Please try again when they have been answered; if the campaign is paused, resume or cancel it first'
const HAS_CHANGED =
  'Who is unconfirmed in this campaign has changed since you were shown them, so nobody was sent it again. Please look once more'

/** What becomes of a delivery; `moveOn` does the rest. */
const become = ({ db }: Site, id: string, state: 'a' | 'u', addresses: string[]) =>
  db
    .updateTable('deliveries')
    .set({ state, next_try_at: null })
    .where('campaign_id', '=', id)
    .where('address', 'in', addresses)
    .execute()

describe('the question whether to resend to the unconfirmed', () => {
  it('names those who join them while it is open before anybody can be mailed, and stands still', async ({
    page,
    site,
  }) => {
    const id = await ask(page, site)
    const letThrough = await holdBack(page, firstOf(id))
    await become(site, id, 'u', ['r2@example.test', 'r3@example.test'])
    await moveOn(site, id, { unknown: 3, in_flight: 0 })
    await resend(page, 3).waitFor()
    expect(await resend(page, 3).isDisabled()).toBe(true)
    const height = await question(page).evaluate((dialog) => dialog.getBoundingClientRect().height)
    await letThrough()
    await eventually(() => named(page)).toEqual(['r1@example.test', 'r2@example.test', 'r3@example.test'])
    await eventually(() => resend(page, 3).isEnabled()).toBe(true)
    expect(await question(page).evaluate((dialog) => dialog.getBoundingClientRect().height)).toBe(height)
  })

  it('mails nobody whom it does not name: whoever joins them unseen is named first, and can then be mailed', async ({
    page,
    site,
    expectRefusal,
  }) => {
    const id = await ask(page, site)
    expectRefusal(`/api/email-history/${id}/retry-unconfirmed`)
    const isReadAgain = [`/api/email-history/${id}`, firstOf(id)].map((path) =>
      page.waitForResponse((response) => response.url().endsWith(path)),
    )
    await resend(page, 1).click()
    await expectToast(page, 'Failed to Resend', `409: ${MAY_GROW}`)
    await Promise.all(isReadAgain)
    await become(site, id, 'u', ['r2@example.test', 'r3@example.test'])
    // The page is not told.
    const run = site.db.updateTable('runs').where('campaign_id', '=', id)
    await run.set({ unknown: 3, in_flight: 0 }).execute()

    await resend(page, 1).click()
    await expectToast(page, 'Failed to Resend', `409: ${HAS_CHANGED}`)
    await eventually(() => named(page)).toEqual(['r1@example.test', 'r2@example.test', 'r3@example.test'])
    await resend(page, 3).click()
    await question(page).waitFor({ state: 'detached' })
    const deliveries = site.db.selectFrom('deliveries').select('state').where('campaign_id', '=', id)
    const states = (await deliveries.execute()).map(({ state }) => state)
    expect(states.sort()).toEqual(['a', 'q', 'q', 'q'])
  })

  it('names who they are by now, also where they are as many as before', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const id = await ask(page, site)
    await become(site, id, 'a', ['r1@example.test'])
    await become(site, id, 'u', ['r2@example.test'])
    await moveOn(site, id, { unknown: 1, accepted: 2, in_flight: 1 })
    await eventually(() => named(page)).toEqual(['r2@example.test'])
    expect(await resend(page, 1).isEnabled()).toBe(true)
  })

  it('is not answered by a list that was read before it was asked', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const id = await ask(page, site)
    await question(page).getByRole('button', { name: 'Leave them' }).click()
    await question(page).waitFor({ state: 'detached' })
    const letThrough = await holdBack(page, firstOf(id))
    await button(page, 'Resend to unconfirmed').click()
    await question(page).waitFor()
    expect(await resend(page, 1).isDisabled()).toBe(true)
    await letThrough()
    await eventually(() => resend(page, 1).isEnabled()).toBe(true)
  })

  it('names all of them although the server finds them one after the other in a long list', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    // As if the time that it searches at a stretch were over when it has found the first.
    await page.route('**/deliveries?state=unknown&limit=10', (route) =>
      route.continue({ url: route.request().url().replace('limit=10', 'limit=1') }),
    )
    await openCampaign(page, site, { letters: { u: 3, a: 1 } })
    await button(page, 'Resend to unconfirmed').click()
    await eventually(() => named(page)).toEqual(['r1@example.test', 'r2@example.test', 'r3@example.test'])
    await eventually(() => resend(page, 3).isEnabled()).toBe(true)
  })
})

it('a campaign from before a copy of the database was put in place says what nobody can know of those who had failed', async ({
  page,
  site,
}) => {
  const id = await openCampaign(page, site, { letters: { f: 2, u: 1, a: 1 } })
  await page.getByText('2 recipients did not get this email').waitFor()
  await site.db.updateTable('runs').set({ copy_number: 0 }).where('campaign_id', '=', id).execute()
  await page.reload()
  await page.getByText('Whether they got it after that, nobody can say.').waitFor()
  await page.getByText('or a copy of the database was put in place while it waited.').waitFor()
  expect(await page.getByText('did not get this email').count()).toBe(0)
})

it('a campaign that waits in a copy of the database says who would get it twice, and that nobody knows who has it once it is cancelled', async ({
  page,
  site,
}) => {
  const id = await openCampaign(page, site, { letters: { q: 2, a: 1 }, state: 'paused' })
  await page.getByText('and to nobody a second time.').waitFor()
  await site.db.updateTable('runs').set({ copy_number: 0 }).where('campaign_id', '=', id).execute()
  await page.reload()
  await page.getByText('a second time to whoever got it after the copy was made.').waitFor()
  expect(await page.getByText('and to nobody a second time.').count()).toBe(0)
  await page.getByRole('button', { name: /^Cancel/ }).click()
  const question = page.getByRole('dialog')
  await question
    .getByText('2 recipients who are still waiting will not be sent this email from here')
    .waitFor()
  await question.getByRole('button', { name: 'Cancel the rest' }).click()
  await page.getByText('2 unconfirmed', { exact: true }).waitFor()
})
