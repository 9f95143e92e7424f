import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { countsOf, openCampaign } from './campaign-steps.ts'
import { eventually, journey as it } from './harness.ts'
import type { PastCampaign } from './history-campaigns.ts'
import { recordStored, someoneNew, withCampaigns } from './history-steps.ts'
import { answerWith, button, heading, holdBack, link, pathOf, tryAgain } from './steps.ts'

const MIXED: Partial<PastCampaign> = {
  ...{ subject: 'Monthly news', letters: { a: 480, f: 13, u: 27, s: 2, c: 8 }, name: 'reader' },
  ...{ reports: { delivered: 403, bounced: 61, complained: 2, opened: 231 } },
  sentAt: new Date(2026, 0, 2, 3, 4),
}

describe('the page of a campaign', () => {
  it('tells what was sent, by whom, when, and what became of everybody', async ({ page, site }) => {
    await openCampaign(page, site, MIXED)
    const main = page.getByRole('main')
    await main.getByText('01/02/2026, 03:04 AM').waitFor()
    await main.getByText('Ann Keller mail@postrider.localhost').waitFor()
    await main.getByText('ann@example.test').waitFor()
    await main.getByText('How are you?').waitFor()
    await eventually(() => page.title()).toBe('Monthly news · Postrider')
    const shown = await countsOf(page)
    expect(shown).toEqual({
      ...{ Accepted: '480', Failed: '13', Unconfirmed: '27', Waiting: '0', Cancelled: '8', 'Left out': '2' },
      ...{ Delivered: '403 (84%)', Bounced: '61', Spam: '2', Opened: '231' },
      ...{ 'Opened by machines': '0', Unsubscribed: '0' },
    })
    await main.getByText('530 recipients').waitFor()
    await button(page, '480 accepted, 13 failed, 27 unconfirmed, 8 cancelled, 2 left out').waitFor()
  })

  it('keeps the keyboard when a retry takes its button away', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await openCampaign(page, site, { subject: 'News', letters: { a: 1, f: 1 } })
    await button(page, 'Retry failed').press('Enter')
    await button(page, 'Retry failed').waitFor({ state: 'detached' })
    await eventually(() => heading(page, 'News').and(page.locator(':focus')).count()).toBe(1)
  })

  it('watches a real sending to its end', { tags: 'thorough' }, async ({ page, site }) => {
    const member = await someoneNew(page, site)
    const client = await member.client()
    const recipients = Array.from({ length: 300 }, (_, index) => `real${index}@example.test`)
    const sent = await client.post('/api/send-email', { recipients, subject: 'Real', body: 'Hello' })
    const { id } = sent.json() as { id: string }
    await page.goto(`/history/${id}`)
    await eventually(() => countsOf(page)).toMatchObject({
      Accepted: '300',
      Waiting: '0',
      Delivered: '300 (100%)',
    })
    await button(page, 'real0@example.test').waitFor()
    await eventually(async () => (await page.getByText('Delivered', { exact: true }).count()) > 5).toBe(true)
  })

  it('exports its deliveries, and leads to those who failed', async ({ page, site }) => {
    await openCampaign(page, site, MIXED)
    const [download] = await Promise.all([page.waitForEvent('download'), link(page, 'Export CSV').click()])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(download.suggestedFilename()).toBe('deliveries.csv')
    expect(lines).toHaveLength(531)
    expect(lines[0]).toContain('address')

    await link(page, 'Show in the list').first().click()
    await eventually(() => new URL(page.url()).search).toBe('?state=failed')
    const title = page.getByRole('heading', { name: 'Deliveries' })
    expect(await title.and(page.locator(':focus')).count()).toBe(1)
    const { y = 0 } = (await title.boundingBox()) ?? {}
    // Below the header of the shell, above the end of the screen.
    expect(y > 56 && y < 800).toBe(true)
  })

  it('that nobody knows is friendly about it', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
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

  it('can be tried again when it could not be loaded', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const [id = ''] = await withCampaigns(page, site, [MIXED])
    const path = `/api/email-history/${id}`
    expectRefusal(path)
    await answerWith(page, path, 503, 'The database cannot be reached')
    await page.goto(`/history/${id}`)
    await page.getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, path)
    await heading(page, 'Monthly news').waitFor()
  })

  it('hands the mail to the composer', { tags: 'thorough' }, async ({ page, site }) => {
    const stored = await recordStored(page)
    const id = await openCampaign(page, site, { subject: 'News', letters: { a: 150 } })
    await button(page, 'Resend Email').click()
    await eventually(() => pathOf(page)).toBe('/compose')
    expect(await stored('resend-email')).toMatchObject({
      subject: 'News',
      senderName: 'Ann Keller',
      campaignId: id,
    })
  })

  for (const width of [1280, 390])
    it(`stands still at ${width} px when what was loading arrives`, { tags: 'thorough' }, async ({
      page,
      site,
    }) => {
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
  it('is shown as text whatever it says, folded when it is long, and may be empty', async ({
    page,
    site,
  }) => {
    const hostile = '<img src=x onerror="document.title=1">\n  two  spaces'
    const long = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join('\n')
    await withCampaigns(page, site, [
      { subject: 'Hostile', body: hostile },
      { subject: 'Long', body: long },
      { subject: 'Empty', body: '' },
    ])
    await page.goto('/history')
    const text = page.getByRole('region', { name: 'The email as sent' }).locator('[dir=auto]')
    const turnTo = async (subject: string) => {
      await link(page, subject).click()
      await heading(page, subject).waitFor()
    }

    await turnTo('Hostile')
    expect(await text.innerText()).toBe(hostile)
    await eventually(() => page.title()).toBe('Hostile · Postrider')

    await page.goBack()
    await turnTo('Long')
    const height = async () => (await text.boundingBox())?.height ?? 0
    expect(await height()).toBeLessThan(200)
    await button(page, 'Show all').click()
    await eventually(async () => (await height()) > 1_000).toBe(true)
    await button(page, 'Show less').click()
    await eventually(async () => (await height()) < 200).toBe(true)

    await page.goBack()
    await turnTo('Empty')
    await page.getByText('This email was sent without a text.').waitFor()
  })
})
