import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it, PHONE } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import {
  answerWith,
  button,
  field,
  heading,
  holdBack,
  isFocused,
  link,
  pathOf,
  takeSearchBack,
  tryAgain,
} from './steps.ts'
import {
  ALL,
  addresses,
  addressSearch,
  EACH,
  type Listed,
  listed,
  SUPPRESSIONS,
  suppress,
  withSuppressed,
} from './suppressions-steps.ts'

const listedOrLoading = (page: Page) => page.getByRole('region', { name: 'Suppressed addresses' })

describe('the suppression list', () => {
  it('is reached from Settings and from History, and leads back there', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await withSuppressed(page, site, [], '/settings')
    await link(page, 'Suppression List').click()
    await heading(page, 'Suppression List').waitFor()
    await eventually(() => page.title()).toBe('Suppression List · Postrider')
    await link(page, 'Settings').and(page.locator('main a')).click()
    await heading(page, 'Settings').waitFor()
    await page.goto('/history')
    await link(page, 'Suppression List').click()
    await heading(page, 'Suppression List').waitFor()
    await page.reload()
    await link(page, 'Email History').click()
    await heading(page, 'Email History').waitFor()
  })

  it('tells who, why, what was said, by which email and since when, newest first', async ({ page, site }) => {
    const member = await withSuppressed(page, site, EACH.slice(1))
    const id = await pastCampaign(site, member.userId, { subject: 'Monthly news' })
    await suppress(site, member.userId, [{ ...(EACH[0] as Listed), campaignId: id }])
    await page.goto('/suppressions')
    await eventually(() => addresses(page)).toEqual(ALL)
    const rows = await listed(page).getByRole('row').allInnerTexts()
    for (const [index, name] of [
      'Hard bounce',
      'Repeated soft bounces',
      'Complaint',
      'Unsubscribed',
      'Added by hand',
    ].entries())
      expect(rows[index + 1]).toContain(name)
    expect(rows[1]).toContain('550 5.1.1 No such user')
    expect(rows[1]).toMatch(/\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M/)
    await link(page, 'Monthly news').click()
    await heading(page, 'Monthly news').waitFor()
    expect(pathOf(page)).toBe(`/history/${id}`)
  })

  it('is searched and filtered, and the choice is in the address of the page', async ({ page, site }) => {
    await withSuppressed(page, site, EACH)
    await addressSearch(page).fill('OTHER')
    await eventually(() => addresses(page)).toEqual(['rival@other.test'])
    await eventually(() => new URL(page.url()).search).toBe('?q=OTHER')
    await button(page, 'Clear search').click()
    await eventually(() => addresses(page)).toEqual(ALL)
    await field(page, 'Filter by reason').selectOption({ label: 'Complaint' })
    await eventually(() => addresses(page)).toEqual(['angry@example.test'])
    await page.reload()
    await eventually(() => addresses(page)).toEqual(['angry@example.test'])
    expect(await field(page, 'Filter by reason').inputValue()).toBe('complaint')
    await addressSearch(page).fill('nobody of that name')
    await page.getByRole('heading', { name: 'No matching addresses' }).waitFor()
    await button(page, 'Clear search and filter').click()
    await eventually(() => addresses(page)).toEqual(ALL)
    expect(await isFocused(page, addressSearch(page))).toBe(true)
    expect(new URL(page.url()).search).toBe('')
  })

  it('keeps the keyboard in its search box while that is emptied, and calls no list empty that it does not know', async ({
    page,
    site,
  }) => {
    await withSuppressed(page, site, EACH)
    const search = { at: '/suppressions?q=nobody', none: 'No matching addresses', list: SUPPRESSIONS }
    const letThrough = await takeSearchBack(page, { ...search, box: addressSearch(page) })
    expect(await page.getByRole('heading', { name: 'Nobody Is Left Out Yet' }).count()).toBe(0)
    await letThrough()
    await eventually(() => addresses(page)).toEqual(ALL)
    expect(await isFocused(page, addressSearch(page))).toBe(true)
  })

  it('goes on as one scrolls', { tags: 'thorough' }, async ({ page, site }) => {
    const many = Array.from({ length: 130 }, (_, n) => n + 1)
    await withSuppressed(
      page,
      site,
      many.map((n) => ({ address: `reader${n}@example.test`, reason: 'manual', minutesAgo: n })),
    )
    await eventually(async () => (await addresses(page)).length >= 100).toBe(true)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await eventually(() => addresses(page)).toEqual(many.map((n) => `reader${n}@example.test`))
  })

  it('that is empty explains what comes here by itself', async ({ page, site }) => {
    await withSuppressed(page, site)
    await page.getByRole('heading', { name: 'Nobody Is Left Out Yet' }).waitFor()
    await page.getByText('when somebody reports it as spam').waitFor()
    expect(await button(page, 'Add Addresses').count()).toBe(1)
  })

  it('that cannot be loaded says so, and tries again', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SUPPRESSIONS)
    await answerWith(page, `${SUPPRESSIONS}?*`, 503, 'The database cannot be reached')
    await withSuppressed(page, site, EACH)
    await page.getByRole('alert').getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, `${SUPPRESSIONS}?*`)
    await eventually(() => addresses(page)).toEqual(ALL)
  })

  for (const width of [1280, PHONE.width])
    it(`stands still at ${width} px when what was loading arrives`, { tags: 'thorough' }, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      const letThrough = await holdBack(page, `${SUPPRESSIONS}?*`)
      await withSuppressed(page, site, EACH)
      await page.getByRole('status').filter({ hasText: 'Loading the suppression list' }).waitFor()
      /** On a phone rows are as high as what they tell; the first begins where it did. */
      const row = width < 768 ? 0 : 1
      const top = () =>
        listedOrLoading(page)
          .getByRole('row')
          .filter({ has: page.locator('td') })
          .nth(row)
          .evaluate((one) => one.getBoundingClientRect().top)
      const before = await top()
      await letThrough()
      await eventually(() => addresses(page)).toEqual(ALL)
      expect(await top()).toEqual(before)
    })

  it('is saved as a file', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site, EACH)
    const [download] = await Promise.all([page.waitForEvent('download'), link(page, 'Export CSV').click()])
    const text = await readFile(await download.path(), 'utf8')
    for (const address of ALL) expect(text).toContain(address)
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })
})
