import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { moveOn, type PastCampaign } from './history-campaigns.ts'
import { recordStored, someoneNew, withCampaigns } from './history-steps.ts'
import type { Site } from './site.ts'
import { answerWith, button, heading, holdBack, holdBackAnswer, link, pathOf, tryAgain } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const MIXED: Partial<PastCampaign> = {
  ...{ subject: 'Monthly news', letters: { a: 480, f: 13, u: 27, s: 2, c: 8 }, name: 'reader' },
  ...{ reports: { delivered: 403, bounced: 61, complained: 2, opened: 231 } },
  sentAt: new Date(2026, 0, 2, 3, 4),
}
const RUNNING: Partial<PastCampaign> = { subject: 'On its way', letters: { a: 100, q: 400 } }

async function open(page: Page, site: Site, campaign: Partial<PastCampaign>): Promise<string> {
  const [id = ''] = await withCampaigns(page, site, [campaign])
  await page.goto(`/history/${id}`)
  await heading(page, campaign.subject ?? 'News').waitFor()
  return id
}

/** The numbers of the page by their names. */
const counts = (page: Page): Promise<Record<string, string>> =>
  page
    .getByRole('region', { name: 'What became of the recipients' })
    .locator('dl > div')
    .evaluateAll((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => [
          pair.querySelector('dt')?.textContent?.trim(),
          pair.querySelector('dd')?.textContent?.trim(),
        ]),
      ),
    )

describe('the page of a campaign', () => {
  it('tells what was sent, by whom, when, and what became of everybody', async ({ page, site }) => {
    await open(page, site, MIXED)
    const main = page.getByRole('main')
    await main.getByText('01/02/2026, 03:04 AM').waitFor()
    await main.getByText('Ann Keller mail@postrider.localhost').waitFor()
    await main.getByText('ann@example.test').waitFor()
    await main.getByText('How are you?').waitFor()
    await eventually(() => page.title()).toBe('Monthly news · Postrider')
    const shown = await counts(page)
    expect(shown).toEqual({
      ...{ Accepted: '480', Failed: '13', Unconfirmed: '27', Waiting: '0', Cancelled: '8', 'Left out': '2' },
      ...{ Delivered: '403 (84%)', Bounced: '61', Spam: '2', Opened: '231' },
      ...{ 'Opened by machines': '0', Unsubscribed: '0' },
    })
    await main.getByText('530 recipients').waitFor()
    await button(page, '480 accepted, 13 failed, 27 unconfirmed, 8 cancelled, 2 left out').waitFor()
  })

  it('moves by itself until everybody is accounted for', async ({ page, site }) => {
    const id = await open(page, site, RUNNING)
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
    expect(await counts(page)).toMatchObject({ Accepted: '499', Failed: '1', Waiting: '0' })
  })

  it('watches a real sending to its end', async ({ page, site }) => {
    const member = await someoneNew(page, site)
    const client = await member.client()
    const recipients = Array.from({ length: 300 }, (_, index) => `real${index}@example.test`)
    const sent = await client.post('/api/send-email', { recipients, subject: 'Real', body: 'Hello' })
    const { id } = sent.json() as { id: string }
    await page.goto(`/history/${id}`)
    await eventually(() => counts(page)).toMatchObject({
      Accepted: '300',
      Waiting: '0',
      Delivered: '300 (100%)',
    })
    await button(page, 'real0@example.test').waitFor()
    await eventually(async () => (await page.getByText('Delivered', { exact: true }).count()) > 5).toBe(true)
  })

  it('pauses, resumes and cancels', async ({ page, site }) => {
    await open(page, site, RUNNING)
    await button(page, 'Pause On its way').click()
    await page.getByRole('alert').getByText('Paused. Nobody else gets this email').waitFor()
    await page.getByRole('status').filter({ hasText: 'Sending is paused' }).waitFor()
    await button(page, 'Resume On its way').click()
    await button(page, 'Pause On its way').waitFor()
    await button(page, 'Cancel On its way').click()
    await page.getByRole('dialog').getByText('400 recipients who are still waiting').waitFor()
    await button(page, 'Cancel the rest').click()
    await eventually(() => counts(page)).toMatchObject({ Accepted: '100', Waiting: '0', Cancelled: '400' })
    await eventually(() => heading(page, 'On its way').and(page.locator(':focus')).count()).toBe(1)
  })

  it('shows what became of it, though the answer to something before that comes last', async ({
    page,
    site,
  }) => {
    const id = await open(page, site, { ...RUNNING, state: 'paused' })
    const answer = await holdBackAnswer(page, `/api/email-history/${id}/resume`)
    await button(page, 'Resume On its way').click()
    // As the news of it says.
    await button(page, 'Pause On its way').waitFor()
    await button(page, 'Cancel On its way').click()
    await button(page, 'Cancel the rest').click()
    const cancelled = { Accepted: '100', Waiting: '0', Cancelled: '400' }
    await eventually(() => counts(page)).toMatchObject(cancelled)
    const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/resume'))
    answer()
    await answered
    await nextFrames(page)
    await eventually(() => counts(page)).toMatchObject(cancelled)
  })

  it('says why it waits, and whether it goes on by itself', async ({ page, site }) => {
    const outage = 'smtp.example.test is out of order: the connection was refused'
    await open(page, site, { ...RUNNING, outage })
    const notice = page.getByRole('alert')
    await notice.getByText(`Paused: ${outage}. Nothing is lost: it goes on by itself`).waitFor()
    await button(page, 'Pause On its way').click()
    await notice.getByText('It does not go on by itself: Resume sends it to those').waitFor()
    expect(await button(page, 'Resend Email').count()).toBe(0)
  })

  it('shows what the server refuses as a toast, and then the truth', async ({
    page,
    site,
    expectRefusal,
  }) => {
    const id = await open(page, site, { subject: 'News', letters: { a: 1, f: 1 } })
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
    await eventually(() => counts(page)).toMatchObject({ Accepted: '2', Failed: '0' })
  })

  it('leads to those who failed', async ({ page, site }) => {
    await open(page, site, MIXED)
    await link(page, 'Show in the list').first().click()
    await eventually(() => new URL(page.url()).search).toBe('?state=failed')
    const title = page.getByRole('heading', { name: 'Deliveries' })
    expect(await title.and(page.locator(':focus')).count()).toBe(1)
    const { y = 0 } = (await title.boundingBox()) ?? {}
    // Below the header of the shell, above the end of the screen.
    expect(y > 56 && y < 800).toBe(true)
  })

  it('that nobody knows is friendly about it', async ({ page, site, expectRefusal }) => {
    await someoneNew(page, site)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      expectRefusal(`/api/email-history/${id}`)
      await page.goto(`/history/${id}`)
      await page.getByRole('heading', { name: 'This email is not in your history' }).waitFor()
      expect(await page.getByText('404 Page Not Found').count()).toBe(0)
    }
    await link(page, 'Go to Email History').click()
    await heading(page, 'Email History').waitFor()
  })

  it('can be tried again when it could not be loaded', async ({ page, site, expectRefusal }) => {
    const [id = ''] = await withCampaigns(page, site, [MIXED])
    const path = `/api/email-history/${id}`
    expectRefusal(path)
    await answerWith(page, path, 503, 'The database cannot be reached')
    await page.goto(`/history/${id}`)
    await page.getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, path)
    await heading(page, 'Monthly news').waitFor()
  })

  it('hands the mail to the composer', async ({ page, site }) => {
    const stored = await recordStored(page)
    const id = await open(page, site, { subject: 'News', letters: { a: 150 } })
    await button(page, 'Resend Email').click()
    await eventually(() => pathOf(page)).toBe('/compose')
    expect(await stored('resend-email')).toMatchObject({
      subject: 'News',
      senderName: 'Ann Keller',
      campaignId: id,
    })
  })

  it('exports its deliveries', async ({ page, site }) => {
    await open(page, site, MIXED)
    const [download] = await Promise.all([page.waitForEvent('download'), link(page, 'Export CSV').click()])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(download.suggestedFilename()).toBe('deliveries.csv')
    expect(lines).toHaveLength(531)
    expect(lines[0]).toContain('address')
  })

  for (const width of [1280, 390])
    it(`stands still at ${width} px when what was loading arrives`, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 1600 })
      const [id = ''] = await withCampaigns(page, site, [{ subject: 'News', letters: { a: 9 } }])
      const letThrough = await holdBack(page, `/api/email-history/${id}**`)
      await page.goto(`/history/${id}`)
      await page.getByRole('status').filter({ hasText: 'Loading the email' }).waitFor()
      const boxes = () =>
        page.locator('main section, main section dt, main section h2').evaluateAll((parts) =>
          parts.map((part) => {
            const { top, left } = part.getBoundingClientRect()
            return [Math.round(top), Math.round(left)]
          }),
        )
      const before = await boxes()
      await letThrough()
      await heading(page, 'News').waitFor()
      await button(page, 'r1@example.test').waitFor()
      expect(before.length).toBeGreaterThan(10)
      expect(await boxes()).toEqual(before)
    })
})

describe('the email as sent', () => {
  it('is shown as text, whatever it says', async ({ page, site }) => {
    await open(page, site, { subject: 'News', body: '<img src=x onerror="document.title=1">\n  two  spaces' })
    const text = page.getByRole('region', { name: 'The email as sent' }).locator('[dir=auto]')
    expect(await text.innerText()).toBe('<img src=x onerror="document.title=1">\n  two  spaces')
    await eventually(() => page.title()).toBe('News · Postrider')
  })

  it('is folded when it is long', async ({ page, site }) => {
    const body = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join('\n')
    await open(page, site, { subject: 'News', body })
    const text = page.getByRole('region', { name: 'The email as sent' }).locator('[dir=auto]')
    const height = async () => (await text.boundingBox())?.height ?? 0
    expect(await height()).toBeLessThan(200)
    await button(page, 'Show all').click()
    await eventually(async () => (await height()) > 1_000).toBe(true)
    await button(page, 'Show less').click()
    await eventually(async () => (await height()) < 200).toBe(true)
  })

  it('may be empty', async ({ page, site }) => {
    await open(page, site, { subject: 'News', body: '' })
    await page.getByText('This email was sent without a text.').waitFor()
  })
})
