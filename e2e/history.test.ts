import { describe, expect } from 'vitest'
import { chips } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { manyCampaigns } from './history-campaigns.ts'
import {
  cellsOf,
  HISTORY,
  recordStored,
  sentEmails,
  someoneNew,
  subjects,
  withCampaigns,
} from './history-steps.ts'
import { answerWith, button, heading, holdBack, link, pathOf, tryAgain } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

describe('the list of sent emails', () => {
  it('says what will be here when there is nothing, and leads to the composer', async ({ page, site }) => {
    await someoneNew(page, site)
    await page.goto('/history')
    await heading(page, 'Email History').waitFor()
    await page.getByText('Track all your sent emails and their status').waitFor()
    await page.getByRole('heading', { name: 'No Email History' }).waitFor()
    await page.getByText('Your sent emails will appear here').waitFor()
    await link(page, 'Compose Email').click()
    await eventually(() => pathOf(page)).toBe('/compose')
  })

  it('tells of each campaign in six columns, newest first', async ({ page, site }) => {
    await withCampaigns(page, site, [
      { subject: 'Old', letters: { a: 1 }, sentAt: new Date(2026, 0, 2, 3, 4) },
      { subject: 'Middle', letters: { f: 2 }, sentAt: new Date(2026, 0, 3, 15, 30), name: 'x' },
      {
        ...{ subject: 'New', letters: { a: 1000, u: 4 }, sentAt: new Date(2026, 0, 4, 9, 5) },
        reports: { delivered: 975, bounced: 5, complained: 1, opened: 300 },
      },
      { subject: 'Newest', letters: { a: 3, q: 2 }, sentAt: new Date(2026, 0, 4, 9, 6) },
    ])
    await page.goto('/history')
    await sentEmails(page).waitFor()
    await link(page, 'Compose Email').waitFor()
    await eventually(() => subjects(page)).toEqual(['Newest', 'New', 'Middle', 'Old'])
    const columns = await sentEmails(page).getByRole('columnheader').allInnerTexts()
    expect(columns).toEqual(['Subject', 'Recipients', 'Sent Date', 'Status', 'Delivery', 'Actions'])

    const dated = (cells: string[]) => cells.slice(0, 5)
    expect(dated(await cellsOf(page, 'Old'))).toEqual([
      ...['Old', 'r1@example.test', '01/02/2026, 03:04 AM', 'sent', 'Pending...'],
    ])
    expect(dated(await cellsOf(page, 'Middle'))).toEqual([
      ...['Middle', 'x1@example.test +1 more', '01/03/2026, 03:30 PM', 'failed', 'Pending... Failed 2'],
    ])
    expect(dated(await cellsOf(page, 'New'))).toEqual([
      ...['New', 'r1@example.test +1,003 more', '01/04/2026, 09:05 AM', 'sent'],
      'Delivered 975 (98%) Bounced 5 Spam 1 Opened 300 Unconfirmed 4',
    ])
    expect((await cellsOf(page, 'Newest')).slice(3, 5)).toEqual(['pending', 'Pending...'])
  })

  it('shows by itself what is sent from elsewhere, and what becomes of it', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const member = await someoneNew(page, site)
    await page.goto('/history')
    await page.getByText('No Email History').waitFor()
    const client = await member.client()
    const sent = { recipients: ['bob@example.test'], subject: 'From another tab', body: '' }
    expect((await client.post('/api/send-email', sent)).status).toBe(200)
    await eventually(async () => (await cellsOf(page, 'From another tab')).slice(3, 5)).toEqual([
      'sent',
      'Delivered 1 (100%)',
    ])
  })

  it('goes on as one scrolls, each campaign once', async ({ page, site }) => {
    const { userId } = await someoneNew(page, site)
    await manyCampaigns(site, userId, 130)
    // What the live stream has read again is not asked for by scrolling.
    await holdBack(page, '/api/events')
    await page.goto('/history')
    await eventually(async () => (await subjects(page)).length >= 50).toBe(true)
    const calls: string[] = []
    page.on('request', (request) => void calls.push(request.url()))
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      return (await subjects(page)).length
    }).toBe(130)
    expect(await subjects(page)).toEqual(Array.from({ length: 130 }, (_, index) => `Letter ${index + 1}`))
    expect(calls.filter((url) => url.includes('cursor=')).length).toBeLessThanOrEqual(2)
    expect(await button(page, 'Load more').count()).toBe(0)
  })

  it('offers what comes next to the keyboard, and again when it could not be loaded', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const { userId } = await someoneNew(page, site)
    await manyCampaigns(site, userId, 60)
    expectRefusal(HISTORY)
    // Read again by the live stream, the list would try the rest by itself.
    await holdBack(page, '/api/events')
    await answerWith(page, `${HISTORY}?*cursor=*`, 503, 'The database cannot be reached')
    await page.goto('/history')
    await eventually(async () => (await subjects(page)).length).toBe(50)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.getByText('503: The database cannot be reached').waitFor()
    await page.unroute(`**${HISTORY}?*cursor=*`)
    const letThrough = await holdBack(page, `${HISTORY}?*cursor=*`)
    await button(page, 'Try again').focus()
    await page.keyboard.press('Enter')
    const top = () => page.evaluate(() => Math.round(window.scrollY))
    const before = await top()
    await letThrough()
    await eventually(async () => (await subjects(page)).length).toBe(60)
    expect(await page.getByRole('region', { name: 'Sent emails' }).locator('div:focus').count()).toBe(1)
    expect(await top()).toBe(before)
  })

  it('is found again where it was left', { tags: 'thorough' }, async ({ page, site }) => {
    const { userId } = await someoneNew(page, site)
    await manyCampaigns(site, userId, 90)
    await page.goto('/history')
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      return (await subjects(page)).length
    }).toBe(90)
    const top = () => page.evaluate(() => Math.round(window.scrollY))
    for (const back of [() => page.goBack(), () => link(page, 'Email History').click()]) {
      await link(page, 'Letter 80').evaluate((row) => row.scrollIntoView({ block: 'center' }))
      const before = await top()
      await link(page, 'Letter 80').click()
      await heading(page, 'Letter 80').waitFor()
      expect(await top()).toBe(0)
      await back()
      await eventually(top).toBe(before)
    }
    await page.getByTestId('link-dashboard').click()
    await page.getByTestId('link-templates').click()
    // Going back elsewhere is no coming back to the list.
    await page.goBack()
    await heading(page, 'Dashboard').waitFor()
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await nextFrames(page)
    expect(await top()).toBe(0)
  })

  it('can be tried again when it could not be loaded', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    await withCampaigns(page, site, [{ subject: 'News' }])
    expectRefusal(HISTORY)
    await answerWith(page, `${HISTORY}**`, 503, 'The database cannot be reached')
    await page.goto('/history')
    await page.getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, `${HISTORY}**`)
    await link(page, 'News').waitFor()
  })

  for (const width of [1280, 800, 390])
    it(`stands still at ${width} px when what was loading arrives`, {
      tags: width === 390 ? [] : 'thorough',
    }, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 1000 })
      await withCampaigns(page, site, [
        { subject: 'One', reports: { delivered: 1 }, sentAt: ago(1) },
        { subject: 'Two', reports: { delivered: 1 }, sentAt: ago(2) },
        { subject: 'Three', reports: { delivered: 1 }, sentAt: ago(3) },
      ])
      const letThrough = await holdBack(page, `${HISTORY}?**`)
      await page.goto('/history')
      await page.getByRole('status').filter({ hasText: 'Loading your sent emails' }).waitFor()
      const boxes = () =>
        page.locator('main tbody tr').evaluateAll((rows) =>
          rows.slice(0, 2).map((row) => {
            const { top, height } = row.getBoundingClientRect()
            const cells = [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left))
            return [Math.round(top), Math.round(height), ...cells]
          }),
        )
      const before = await boxes()
      await letThrough()
      await link(page, 'One').waitFor()
      expect(before).toHaveLength(2)
      expect(await boxes()).toEqual(before)
    })
})

describe('Resend Email', () => {
  const LETTER = {
    ...{ subject: 'News', body: 'How are you?', senderName: 'Ann Keller', replyTo: 'ann@example.test' },
  }

  it('hands the mail to the composer, which finds everybody with their names', async ({ page, site }) => {
    const [id = ''] = await withCampaigns(page, site, [{ ...LETTER, letters: { a: 2 } }])
    const named = site.db.updateTable('deliveries').set({ name: 'Keller, Eve' }).where('campaign_id', '=', id)
    await named.where('seq', '=', 2).execute()
    const stored = await recordStored(page)
    await page.goto('/history')
    await button(page, 'Actions for News').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Resend Email' }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(() => pathOf(page)).toBe('/compose')
    const recipients = ['r1@example.test', 'r2@example.test']
    expect(await stored('resend-email')).toEqual({ ...LETTER, recipients, campaignId: id })
    await expectToast(page, 'Ready to Resend', 'Email loaded with 2 recipient(s)')
    expect(await chips(page)).toEqual(['r1@example.test', '"Keller, Eve" <r2@example.test>'])
  })

  it('hands over no long list, but where to find it', { tags: 'thorough' }, async ({ page, site }) => {
    const [id] = await withCampaigns(page, site, [{ ...LETTER, letters: { a: 101 } }])
    const stored = await recordStored(page)
    await page.goto('/history')
    await button(page, 'Actions for News').click()
    await page.getByRole('menuitem', { name: 'Resend Email' }).click()
    await eventually(() => pathOf(page)).toBe('/compose')
    const recipients = Array.from({ length: 100 }, (_, index) => `r${index + 1}@example.test`)
    expect(await stored('resend-email')).toEqual({ ...LETTER, recipients, campaignId: id })
  })
})
