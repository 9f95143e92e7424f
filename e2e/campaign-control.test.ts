import { describe, expect } from 'vitest'
import { countsOf, openCampaign } from './campaign-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { moveOn, type PastCampaign } from './history-campaigns.ts'
import { button, clickAgain, heading, holdBackAnswer } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const RUNNING: Partial<PastCampaign> = { subject: 'On its way', letters: { a: 100, q: 400 } }

describe('a campaign that is on its way', () => {
  it('moves by itself until everybody is accounted for', async ({ page, site }) => {
    const id = await openCampaign(page, site, RUNNING)
    await page.getByText('100 of 500 accepted').waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^Sending$/ })
      .waitFor()
    // What is left is told from how it moved in the 1.5 seconds since it was first seen, and that it is by then.
    await moveOn(site, id, { accepted: 150, queued: 350 })
    await page.getByText('150 of 500 accepted').waitFor()
    await page.waitForTimeout(1_600)
    await moveOn(site, id, { accepted: 200, queued: 300 })
    await page.getByText(/200 of 500 accepted · .+ left/).waitFor()
    await moveOn(site, id, { accepted: 499, failed: 1, queued: 0 })
    await page.getByRole('status').filter({ hasText: 'Finished: 499 accepted, 1 failed' }).waitFor()
    expect(await countsOf(page)).toMatchObject({ Accepted: '499', Failed: '1', Waiting: '0' })
  })

  it('pauses, resumes and cancels', async ({ page, site }) => {
    await openCampaign(page, site, RUNNING)
    await button(page, 'Pause On its way').click()
    await page.getByRole('alert').getByText('Paused. Nobody else gets this email').waitFor()
    await page.getByRole('status').filter({ hasText: 'Sending is paused' }).waitFor()
    await button(page, 'Resume On its way').click()
    await button(page, 'Pause On its way').waitFor()
    await button(page, 'Cancel On its way').click()
    await page.getByRole('dialog').getByText('400 recipients who are still waiting').waitFor()
    await button(page, 'Cancel the rest').click()
    await eventually(() => countsOf(page)).toMatchObject({ Accepted: '100', Waiting: '0', Cancelled: '400' })
    await eventually(() => heading(page, 'On its way').and(page.locator(':focus')).count()).toBe(1)
  })

  it('counts nobody who waits where all are on their way', async ({ page, site }) => {
    await openCampaign(page, site, { ...RUNNING, letters: { i: 3 } })
    await button(page, 'Cancel On its way').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Every email is on its way already.').waitFor()
    await dialog.getByText('3 emails are with the mail provider already, or on the way there').waitFor()
    expect(await dialog.getByText('0 recipients').count()).toBe(0)
  })

  it('hands the keyboard on when it ends while somebody stands on its buttons', async ({ page, site }) => {
    const id = await openCampaign(page, site, { ...RUNNING, letters: { a: 100, u: 1, q: 400 } })
    const focusIsOnTheSubject = () => heading(page, 'On its way').and(page.locator(':focus')).count()
    await button(page, 'Cancel On its way').focus()
    await moveOn(site, id, { accepted: 500, queued: 0 })
    await button(page, 'Cancel On its way').waitFor({ state: 'detached' })
    await eventually(focusIsOnTheSubject).toBe(1)
    await button(page, 'Resend to unconfirmed').focus()
    await moveOn(site, id, { accepted: 501, unknown: 0, queued: 0 })
    await button(page, 'Resend to unconfirmed').waitFor({ state: 'detached' })
    await eventually(focusIsOnTheSubject).toBe(1)
  })

  it('is paused by a double click, not paused and resumed', { tags: 'thorough' }, async ({ page, site }) => {
    await openCampaign(page, site, RUNNING)
    const resumed: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/resume')) resumed.push(request.url())
    })
    await button(page, 'Pause On its way').click()
    const resume = button(page, 'Resume On its way')
    await eventually(() => resume.and(page.locator(':not([aria-busy])')).count()).toBe(1)
    await clickAgain(resume)
    await nextFrames(page)
    expect(resumed).toEqual([])
    expect(await resume.count()).toBe(1)
  })

  it('shows what became of it, though the answer to something before that comes last', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const id = await openCampaign(page, site, { ...RUNNING, state: 'paused' })
    const { letThrough } = await holdBackAnswer(page, `/api/email-history/${id}/resume`)
    await button(page, 'Resume On its way').click()
    // As the news of it says.
    await button(page, 'Pause On its way').waitFor()
    await button(page, 'Cancel On its way').click()
    await button(page, 'Cancel the rest').click()
    const cancelled = { Accepted: '100', Waiting: '0', Cancelled: '400' }
    await eventually(() => countsOf(page)).toMatchObject(cancelled)
    const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/resume'))
    letThrough()
    await answered
    await nextFrames(page)
    await eventually(() => countsOf(page)).toMatchObject(cancelled)
  })

  it('says why it waits, and whether it goes on by itself', async ({ page, site }) => {
    const outage = 'smtp.example.test is out of order: the connection was refused'
    await openCampaign(page, site, { ...RUNNING, outage })
    const notice = page.getByRole('alert')
    await notice.getByText(`Paused: ${outage}. Nothing is lost: it goes on by itself`).waitFor()
    await button(page, 'Pause On its way').click()
    await notice.getByText('It does not go on by itself: Resume sends it to those').waitFor()
    expect(await button(page, 'Resend Email').count()).toBe(0)
  })

  it('shows what the server refuses as a toast, and then the truth', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const id = await openCampaign(page, site, { subject: 'News', letters: { a: 1, f: 1 } })
    const path = `/api/email-history/${id}/retry-failed`
    expectRefusal(path)
    // Mended while the press is on its way: the page cannot have heard of it before.
    await page.route(`**${path}`, async (route) => {
      await site.db.updateTable('deliveries').set({ state: 'a' }).where('campaign_id', '=', id).execute()
      await site.db
        .updateTable('runs')
        .set({ failed: 0, accepted: 2 })
        .where('campaign_id', '=', id)
        .execute()
      await route.continue()
    })
    await button(page, 'Retry failed').click()
    await expectToast(page, 'Failed to Retry', '409: Nobody failed in this campaign')
    await eventually(() => countsOf(page)).toMatchObject({ Accepted: '2', Failed: '0' })
  })
})
