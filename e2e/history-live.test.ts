import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { holdForNext, letThrough } from './going-on.ts'
import { eventually, journey as it } from './harness.ts'
import { manyCampaigns, moveOn, pastCampaign } from './history-campaigns.ts'
import { cellsOf, searchBox, sentEmails, someoneNew, withCampaigns } from './history-steps.ts'
import { button, link } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const RUNNING = { subject: 'The autumn letter', letters: { a: 1204, f: 3, q: 3793 } } as const

const row = (page: Page, text: string | RegExp) => sentEmails(page).getByRole('row').filter({ hasText: text })

describe('a campaign on its way', () => {
  it('tells in words how far it is, and moves by itself', async ({ page, site }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    await page.clock.install()
    await page.goto('/history')
    await row(page, '1,204 of 5,000 accepted · 3 failed').waitFor()
    await button(page, '1,204 accepted, 3 failed, 3,793 waiting').waitFor()
    // What is left is told from how it moved in the 1.5 seconds since it was first seen, and that it is by then.
    await moveOn(site, id, { accepted: 1704, queued: 3293 })
    await row(page, '1,704 of 5,000 accepted · 3 failed').waitFor()
    await page.waitForTimeout(1_600)
    await moveOn(site, id, { accepted: 3204, queued: 1793 })
    await row(page, /3,204 of 5,000 accepted · 3 failed · (a few seconds|less than a minute) left/).waitFor()
    // What stands still may wait for an hour: nothing is promised of it.
    await page.clock.fastForward(30_000)
    await eventually(() => row(page, '3,204 of 5,000').filter({ hasText: 'left' }).count()).toBe(0)
    await moveOn(site, id, { accepted: 4997, queued: 0, delivered: 4000 })
    await eventually(async () => (await cellsOf(page, RUNNING.subject)).slice(3, 5)).toEqual([
      'sent',
      'Delivered 4,000 (80%) Failed 3',
    ])
    expect(await button(page, `Pause ${RUNNING.subject}`).count()).toBe(0)
  })

  it('shows its counts on hover, and they add up', { tags: 'thorough' }, async ({ page, site }) => {
    await withCampaigns(page, site, [RUNNING])
    await page.goto('/history')
    await searchBox(page).focus()
    await button(page, '1,204 accepted, 3 failed, 3,793 waiting').hover()
    const legend = page.getByRole('dialog', { name: 'What became of the recipients' })
    await eventually(async () => (await legend.innerText()).split(/\s+/).join(' ')).toBe(
      'Accepted 1,204 Failed 3 Unconfirmed 0 Waiting 3,793 All 5,000',
    )
    // A pointer that passes by takes the keyboard from nobody.
    await page.mouse.move(0, 0)
    await legend.waitFor({ state: 'detached' })
    await nextFrames(page)
    expect(await searchBox(page).and(page.locator(':focus')).count()).toBe(1)
  })

  it('is paused and resumed where it stands, without losing the keyboard', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    await page.goto('/history')
    await button(page, `Pause ${RUNNING.subject}`).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Paused. Nobody else gets this email until it is resumed.').waitFor()
    expect((await cellsOf(page, RUNNING.subject))[3]).toBe('pending paused')
    const state = () =>
      site.db.selectFrom('runs').select('state').where('campaign_id', '=', id).executeTakeFirstOrThrow()
    expect(await state()).toEqual({ state: 'paused' })
    const resume = button(page, `Resume ${RUNNING.subject}`)
    await eventually(() => resume.and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Enter')
    await button(page, `Pause ${RUNNING.subject}`).waitFor()
    expect(await state()).toEqual({ state: 'sending' })
  })

  it('is cancelled only after saying what stops and what does not', async ({ page, site }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    await page.goto('/history')
    await button(page, `Cancel ${RUNNING.subject}`).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel “The autumn letter”?' })
    await dialog.getByText('3,793 recipients who are still waiting will not get this email.').waitFor()
    await dialog.getByText('1,204 emails are with the mail provider already').waitFor()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() =>
      button(page, `Cancel ${RUNNING.subject}`).and(page.locator(':focus')).count(),
    ).toBe(1)

    await page.keyboard.press('Enter')
    await holdForNext(page, `/api/email-history/${id}/cancel`)
    await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
    // Whoever regrets it now must not think that it was kept.
    await dialog.getByRole('button', { name: 'Cancelling...' }).waitFor()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancelling...' }).waitFor()
    letThrough(page)
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => (await cellsOf(page, RUNNING.subject)).slice(3, 5)).toEqual([
      'sent cancelled',
      'Pending... Failed 3 Cancelled 3,793',
    ])
    // The button is gone, so the keyboard goes on at the campaign itself.
    await eventually(() => link(page, RUNNING.subject).and(page.locator(':focus')).count()).toBe(1)
    const run = await site.db
      .selectFrom('runs')
      .select(['queued', 'cancelled', 'is_open'])
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(run).toEqual({ queued: 0, cancelled: 3793, is_open: false })
  })

  it('that has ended meanwhile says so in the words of the server', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    await page.goto('/history')
    const pause = button(page, `Pause ${RUNNING.subject}`)
    await pause.waitFor()
    const path = `/api/email-history/${id}/pause`
    expectRefusal(path)
    // It ends while the press is on its way: the page cannot have heard of it before.
    await page.route(`**${path}`, async (route) => {
      const ended = { queued: 0, accepted: 4997, is_open: false }
      await site.db.updateTable('runs').set(ended).where('campaign_id', '=', id).execute()
      await route.continue()
    })
    await pause.click()
    await expectToast(page, 'Failed to Pause', '409: This campaign has ended and can no longer be paused')
    await eventually(async () => (await cellsOf(page, RUNNING.subject))[3]).toBe('sent')
  })

  it('keeps nobody from reading on, however often it moves', { tags: 'thorough' }, async ({ page, site }) => {
    const { userId } = await someoneNew(page, site)
    await manyCampaigns(site, userId, 120)
    const id = await pastCampaign(site, userId, { ...RUNNING, sentAt: new Date(2020, 0, 1) })
    await page.goto('/history')
    await link(page, 'Letter 1').waitFor()
    let accepted = 1204
    const moving = setInterval(() => {
      accepted += 1
      void moveOn(site, id, { accepted, queued: 4997 - accepted })
    }, 150)
    try {
      await eventually(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        return link(page, RUNNING.subject).count()
      }).toBe(1)
    } finally {
      clearInterval(moving)
    }
  })

  it('that waits for its provider says why, and that it goes on by itself', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const outage = 'smtp.example.test is out of order: the connection was refused'
    await withCampaigns(page, site, [{ ...RUNNING, outage }])
    await page.goto('/history')
    await page.getByText(`Paused: ${outage}. It goes on by itself`).waitFor()
    expect((await cellsOf(page, RUNNING.subject))[3]).toBe('pending paused')
    // There is nothing to resume, but it can be kept from going on.
    await button(page, `Pause ${RUNNING.subject}`).click()
    await button(page, `Resume ${RUNNING.subject}`).waitFor()
  })
})
