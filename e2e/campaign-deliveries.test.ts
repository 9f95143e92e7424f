import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { createPatience } from '../server/test/until.ts'
import { eventually, journey as it } from './harness.ts'
import { moveOn, type PastCampaign } from './history-campaigns.ts'
import { withCampaigns } from './history-steps.ts'
import type { Site } from './site.ts'
import { answerWith, button, holdBack, tryAgain } from './steps.ts'
import { openWithStoppedClock, passTimeUntil } from './time.ts'

const MIXED: Partial<PastCampaign> = {
  ...{
    subject: 'Monthly news',
    letters: { a: 40, f: 3, u: 2, s: 1, c: 4, q: 5 },
    state: 'paused',
    name: 'reader',
  },
  ...{ reports: { delivered: 20, bounced: 2, complained: 1, opened: 10 } },
}

const table = (page: Page): Locator => page.getByRole('table', { name: 'Deliveries' })
const rows = (page: Page): Locator => table(page).locator('tbody tr[data-row]')
const title = (page: Page): Locator => page.getByRole('heading', { name: 'Deliveries', exact: true })
const search = (page: Page): Locator => page.getByPlaceholder('Search addresses...')
const choice = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Show deliveries by state' }).getByRole('button', { name })

async function open(page: Page, site: Site, campaign: Partial<PastCampaign>, query = ''): Promise<string> {
  const [id = ''] = await withCampaigns(page, site, [campaign])
  await page.goto(`/history/${id}${query}`)
  await rows(page).first().waitFor()
  return id
}

const cells = async (row: Locator): Promise<string[]> =>
  (await row.getByRole('cell').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())

/** What a worker does to the rows; `moveOn` does the rest. */
const acceptAll = ({ db }: Site, id: string, beginning = '') =>
  db
    .updateTable('deliveries')
    .set({ state: 'a', attempts: 1, accepted_at: new Date(), next_try_at: null })
    .where('campaign_id', '=', id)
    .where('state', '=', 'q')
    .where('address_key', 'like', `${beginning}%`)
    .execute()

describe('the deliveries of a campaign', () => {
  it('can be seen by state, each with how many there are', async ({ page, site }) => {
    await open(page, site, MIXED)
    const names = await page
      .getByRole('group', { name: 'Show deliveries by state' })
      .getByRole('button')
      .all()
    const texts = await Promise.all(names.map((name) => name.innerText()))
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      ...['All 55', 'Waiting 5', 'Accepted 40', 'Failed 3', 'Unconfirmed 2', 'Left out 1', 'Cancelled 4'],
    ])
    await choice(page, 'Failed').click()
    await eventually(() => rows(page).count()).toBe(3)
    expect(await choice(page, 'Failed').getAttribute('aria-pressed')).toBe('true')
    expect(new URL(page.url()).search).toBe('?state=failed')
    expect(await table(page).getAttribute('aria-rowcount')).toBe('4')
    await page.reload()
    await eventually(() => rows(page).count()).toBe(3)
  })

  it('say in words what happened, how often it was tried and when', async ({ page, site }) => {
    await open(page, site, { ...MIXED, sentAt: new Date(2026, 0, 2, 3, 4) })
    const first = async (state: string): Promise<string[]> => {
      await choice(page, state).click()
      await eventually(async () => (await cells(rows(page).first()))[1]).toBe(state)
      return cells(rows(page).first())
    }
    expect(await first('Failed')).toEqual([
      ...['reader1@example.test', 'Failed', '550 5.1.1 No such user here', '1', '–'],
    ])
    expect((await first('Unconfirmed'))[2]).toMatch(/^Postrider stopped while this mail was on its way/)
    expect((await first('Cancelled'))[2]).toBe('Cancelled before it was sent')
    expect((await first('Left out'))[2]).toBe('This address has asked to get no more mail')
    expect((await first('Waiting')).slice(2, 4)).toEqual(['Waiting for its turn', '0'])
    expect((await first('Accepted')).slice(2)).toEqual(['Bounced', '1', '01/02/2026, 03:06 AM'])
  })

  it('are searched by address', { tags: 'thorough' }, async ({ page, site }) => {
    await open(page, site, MIXED)
    await search(page).fill('READER55@')
    await eventually(() => rows(page).count()).toBe(1)
    expect((await cells(rows(page).first()))[0]).toBe('reader55@example.test')
    await choice(page, 'Failed').click()
    await page.getByText('No address here matches that.').waitFor()
    await button(page, 'Show all deliveries').press('Enter')
    await eventually(async () => (await rows(page).count()) > 10).toBe(true)
    expect(await search(page).inputValue()).toBe('')
    // The button is gone; the keyboard is not.
    expect(await title(page).and(page.locator(':focus')).count()).toBe(1)
  })

  it('show everything about one, from the keyboard and back', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await open(page, site, { ...MIXED, sentAt: new Date(2026, 0, 2, 3, 4) }, '?state=accepted&q=reader55')
    const one = button(page, 'reader55@example.test')
    await one.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'reader55@example.test' })
    await dialog.waitFor()
    const text = (await dialog.innerText()).replace(/\s+/g, ' ')
    expect(text).toContain('What happened Opened')
    expect(text).toContain(
      'Accepted 01/02/2026, 03:05 AM Delivered 01/02/2026, 03:06 AM Opened 01/02/2026, 03:09 AM',
    )
    expect(text).toMatch(/Message-ID <.+@postrider\.localhost>/)
    await page.keyboard.press('Escape')
    await eventually(() => one.and(page.locator(':focus')).count()).toBe(1)
  })

  it('stay open as they were known last when they leave the list, and open never by themselves', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const id = await open(page, site, { subject: 'News', letters: { a: 1, q: 2 } }, '?state=queued')
    await button(page, 'r1@example.test').click()
    const dialog = page.getByRole('dialog', { name: 'r1@example.test' })
    await dialog.getByText('Waiting for its turn').waitFor()
    await acceptAll(site, id, 'r1@')
    await moveOn(site, id, { accepted: 2, queued: 1 })
    await dialog.getByText('It has left the list since then. This is how it stood last.').waitFor()
    await dialog.getByText('Waiting for its turn').waitFor()
    // Also when the list has nobody any more.
    await acceptAll(site, id)
    await moveOn(site, id, { accepted: 3, queued: 0 })
    await page.getByText('Nobody is in this state.').waitFor()
    await dialog.getByText('Waiting for its turn').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => title(page).and(page.locator(':focus')).count()).toBe(1)
    await choice(page, 'All').click()
    await eventually(() => rows(page).count()).toBe(3)
    expect(await dialog.count()).toBe(0)
  })

  it('can be tried again when they could not be loaded', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const [id = ''] = await withCampaigns(page, site, [MIXED])
    const path = `/api/email-history/${id}/deliveries`
    expectRefusal(path)
    await answerWith(page, `${path}?**`, 503, 'The database cannot be reached')
    await page.goto(`/history/${id}`)
    await page.getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, `${path}?**`)
    await rows(page).first().waitFor()
  })

  it('follow a campaign that moves', { tags: 'thorough' }, async ({ page, site }) => {
    const id = await open(page, site, { subject: 'News', letters: { a: 2, q: 1 } })
    await page.getByText('Waiting for its turn').waitFor()
    await acceptAll(site, id)
    await moveOn(site, id, { accepted: 3, queued: 0 })
    await page.getByText('Waiting for its turn').waitFor({ state: 'detached' })
    expect(await page.getByText('Accepted by the provider').count()).toBe(3)
  })

  it('follow it also when it moved before the page could hear of it', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const hear = await holdBack(page, '/api/events')
    const id = await open(page, site, { subject: 'News', letters: { a: 2, q: 1 } })
    await page.getByText('Waiting for its turn').waitFor()
    await acceptAll(site, id)
    await moveOn(site, id, { accepted: 3, queued: 0 })
    await hear()
    await page.getByText('Waiting for its turn').waitFor({ state: 'detached' })
    expect(await page.getByText('Accepted by the provider').count()).toBe(3)
  })

  it('follow it also when more of them were loaded just after it had moved', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const [id = ''] = await withCampaigns(page, site, [{ subject: 'News', letters: { q: 150 } }])
    // The list waits for two seconds before it is read again; meanwhile somebody scrolls.
    await openWithStoppedClock(page, `/history/${id}`, rows(page).first())
    await acceptAll(site, id)
    await moveOn(site, id, { accepted: 150, queued: 0 })
    await passTimeUntil(page, async () => (await choice(page, 'Waiting').count()) === 0)
    const more = page.waitForResponse((response) => response.url().includes('cursor='))
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await more
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.clock.resume()
    const first = table(page).locator('tr[aria-rowindex="2"]')
    await eventually(async () => (await cells(first))[2]).toBe('Accepted by the provider')
  })

  it('follow on when they could not be read once', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const id = await open(page, site, { subject: 'News', letters: { a: 2, q: 1 } })
    await page.getByText('Waiting for its turn').waitFor()
    const path = `/api/email-history/${id}/deliveries`
    expectRefusal(path)
    await answerWith(page, `${path}?**`, 503, 'The database cannot be reached')
    const refused = page.waitForResponse((response) => response.status() === 503)
    await acceptAll(site, id)
    await moveOn(site, id, { accepted: 3, queued: 0 })
    await refused
    await page.unroute(`**${path}?**`)
    await page.getByText('Waiting for its turn').waitFor({ state: 'detached' })
  })

  for (const width of [1280, 390])
    it(`stay light at ${width} px with 100,000 of them`, { tags: 'thorough' }, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 })
      const id = await open(page, site, { subject: 'To everybody', letters: { a: 99_999, q: 1 } })
      const count = async () => Number(await table(page).getAttribute('aria-rowcount'))
      expect(await count()).toBe(100_001)
      await scrollToRow(page, 900)
      // So much is not read again by itself: who wants to see it says so.
      await moveOn(site, id, { accepted: 100_000, queued: 0 })
      await button(page, 'Refresh').waitFor()
      // One more page is no reading of the whole: the rows above are as old as before.
      await scrollToRow(page, 1_300)
      await button(page, 'Refresh').press('Enter')
      await eventually(() => button(page, 'Refresh').count()).toBe(0)
      expect(await title(page).and(page.locator(':focus')).count()).toBe(1)
      await eventually(() => rows(page).first().getAttribute('aria-rowindex')).toBe('2')
    })
})

/** Scrolls until a row is there, and sees that only few of them are in the page meanwhile. */
async function scrollToRow(page: Page, wanted: number) {
  const patience = createPatience(30_000)
  for (let last = 0; last < wanted; ) {
    expect(patience.isOver(), `row ${wanted} after ${last}`).toBe(false)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const shown = await rows(page).evaluateAll((all) => all.map((row) => Number(row.ariaRowIndex)))
    expect(shown.length).toBeLessThan(70)
    last = Math.max(0, ...shown)
  }
}
