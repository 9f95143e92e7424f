import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { inOneDay } from '../server/test/one-day.ts'
import { ACTIVITY, aSender, cardLines, finished, pretend, send } from './dashboard-steps.ts'
import { aMember, DESKTOP, eventually, journey as it, PATIENCE_MS } from './harness.ts'
import { moveOn, pastCampaign } from './history-campaigns.ts'
import { holdBack, link, pathOf } from './steps.ts'
import { openWithStoppedClock, passTimeUntil } from './time.ts'

const FRAME_MS = 16

const focused = (page: Page) => page.locator(':focus')
const days = (page: Page) => page.getByRole('group', { name: /^Emails sent, day by day/ }).getByRole('img')

const tableRows = (page: Page): Promise<string[][]> =>
  page
    .getByRole('table', { name: 'Emails that you sent off on each of the last 7 days' })
    .evaluate((table) =>
      [...(table as HTMLTableElement).rows].map((row) =>
        [...row.cells].map((cell) => cell.textContent ?? ''),
      ),
    )

const figure = (page: Page, title: string): Locator =>
  page
    .getByRole('heading', { name: title, exact: true, level: 3 })
    .locator('xpath=../following-sibling::p[1]')

/** Every text that a card's value has shown since. */
async function watchValue(page: Page, title: string): Promise<() => Promise<string[]>> {
  const seen = await figure(page, title).evaluateHandle((element) => {
    const texts = [element.textContent ?? '']
    new MutationObserver(() => texts.push(element.textContent ?? '')).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    })
    return texts
  })
  return () => seen.jsonValue()
}

describe('numbers', () => {
  it('move while a campaign is sent, without a reload', async ({ page, site }) => {
    const { client } = await aSender(page, site)
    await finished(client, await send(client, 'Before'))
    await page.goto('/')
    await eventually(() => cardLines(page, 'Successful')).toEqual(['Successful', '1', '100.0% success rate'])
    await finished(client, await send(client, 'While it is open', 40))
    await eventually(() => cardLines(page, 'Successful')).toEqual(['Successful', '41', '100.0% success rate'])
    await eventually(async () => (await tableRows(page)).at(-1)?.[1]).toBe('41')
    await page.getByText('Nothing is on its way right now.').waitFor()
  })

  it('know also of what was sent before the page could hear of it', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { client } = await aSender(page, site)
    await finished(client, await send(client, 'Before'))
    const hear = await holdBack(page, '/api/events')
    await page.goto('/')
    await eventually(() => cardLines(page, 'Successful')).toEqual(['Successful', '1', '100.0% success rate'])
    await finished(client, await send(client, 'Unheard of', 2))
    await hear()
    await eventually(() => cardLines(page, 'Successful')).toEqual(['Successful', '3', '100.0% success rate'])
  })

  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    it(`${reducedMotion === 'reduce' ? 'jump for those who want no motion' : 'count up to the new one'}`, {
      tags: 'thorough',
    }, async ({ page, site }) => {
      await page.emulateMedia({ reducedMotion })
      const sender = await aSender(page, site)
      await pretend(site, sender, 'Many', { accepted: 1000 })
      // By the page's own clock, which draws every frame of the way, however busy the machine is.
      await openWithStoppedClock(page, '/', figure(page, 'Successful').filter({ hasText: /^1,000$/ }))
      const seen = await watchValue(page, 'Successful')
      // Its own single mail announces it to the open page.
      await pretend(site, sender, 'Many more', { accepted: 8000 })
      await send(sender.client, 'One more')
      await passTimeUntil(page, async () => (await seen()).at(-1) === '9,001', FRAME_MS)
      const distinct = [...new Set(await seen())]
      if (reducedMotion === 'reduce') expect(distinct.length).toBeLessThanOrEqual(4)
      else expect(distinct.length).toBeGreaterThan(4)
      const numbers = distinct.map((text) => Number(text.replaceAll(',', '')))
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    })

  it('stand in figures of one width', { tags: 'thorough' }, async ({ page, site }) => {
    await aSender(page, site)
    await page.goto('/')
    expect(
      await figure(page, 'Total Sent').evaluate((element) => getComputedStyle(element).fontVariantNumeric),
    ).toBe('tabular-nums')
  })
})

describe('what is in progress', () => {
  it('is shown with its bar and leads to its page', { tags: 'thorough' }, async ({ page, site }) => {
    const sender = await aSender(page, site)
    const id = await pretend(site, sender, 'The autumn letter', {
      accepted: 1204,
      failed: 3,
      unknown: 12,
      queued: 3781,
    })
    await page.goto('/')
    const card = page.getByRole('region', { name: 'In Progress' })
    await card.getByText('1,204 of 5,000 accepted · 3 failed · 12 unconfirmed').waitFor()
    await card.getByText('paused').waitFor()
    const bar = card.getByRole('button', { name: '1,204 accepted, 3 failed, 12 unconfirmed, 3,781 waiting' })
    await bar.press('Enter')
    await page.getByRole('dialog').getByText('5,000').waitFor()
    await page.keyboard.press('Escape')
    // Given back a moment after the dialog is gone; else the next key would be meant for the bar.
    await eventually(() => bar.and(focused(page)).count()).toBe(1)
    await link(page, 'The autumn letter').press('Enter')
    await eventually(() => pathOf(page)).toBe(`/history/${id}`)
  })

  it('appears when something is sent, and goes when that is done', async ({ page, site }) => {
    const { member } = await aSender(page, site)
    await page.goto('/')
    const card = page.getByRole('region', { name: 'In Progress' })
    await card.getByText('Nothing is on its way right now.').waitFor()
    // Under way until it has been seen, however long that takes.
    const many = { subject: 'To very many', letters: { q: 5000 } }
    const id = await pastCampaign(site, member.userId, many)
    await moveOn(site, id, { accepted: 1, queued: 4999 })
    await card.getByRole('link', { name: 'To very many' }).waitFor()
    await moveOn(site, id, { accepted: 5000, queued: 0 })
    await card.getByText('Nothing is on its way right now.').waitFor()
    await eventually(() => cardLines(page, 'Successful')).toEqual([
      'Successful',
      '5,000',
      '100.0% success rate',
    ])
  })

  it('says when there is nothing', { tags: 'thorough' }, async ({ page, site }) => {
    await aSender(page, site)
    await page.goto('/')
    await page
      .getByRole('region', { name: 'In Progress' })
      .getByText('Nothing is on its way right now.')
      .waitFor()
  })
})

describe('the activity of the last 7 days', () => {
  it('is a chart of 300 px with a bar for each day, zero days included, and a table', async ({
    page,
    site,
  }) => {
    await inOneDay()
    const sender = await aSender(page, site)
    const sent = [12, 0, 860, 2310, 0, 40, 1750]
    for (const [index, accepted] of sent.entries())
      if (accepted > 0) await pretend(site, sender, `Day ${index}`, { accepted }, 6 - index)
    await page.goto('/')
    await page.getByRole('heading', { name: 'Email Activity (Last 7 Days)' }).waitFor()
    await eventually(() => days(page).count()).toBe(7)
    const rows = await tableRows(page)
    expect(rows[0]).toEqual(['Day', 'Sent'])
    expect(rows.slice(1).map(([, count]) => count)).toEqual(['12', '0', '860', '2,310', '0', '40', '1,750'])
    const chart = page.locator('svg', { has: page.locator('[data-day]') }).first()
    expect((await chart.boundingBox())?.height).toBe(300)
    const heights = await days(page).evaluateAll((columns) =>
      columns.map((column) => Number(column.querySelector(':scope > svg rect')?.getAttribute('height'))),
    )
    const order = (values: number[]) => [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
    expect(order(heights)).toEqual(order(sent))
    expect(heights[1]).toBe(0)
    await chart.getByText('Emails', { exact: true }).waitFor()
    await chart.getByText('3K', { exact: true }).waitFor()
  })

  it('tells each value to the mouse and to the keyboard', { tags: 'thorough' }, async ({ page, site }) => {
    await inOneDay()
    const sender = await aSender(page, site)
    await pretend(site, sender, 'Two days ago', { accepted: 1234 }, 2)
    await page.goto('/')
    const value = page.locator('[data-day] text').filter({ hasText: '1,234' })
    await eventually(() => days(page).count()).toBe(7)
    expect(await value.count()).toBe(0)
    await days(page).nth(4).hover()
    await value.waitFor()
    await page.mouse.move(0, 0)
    await value.waitFor({ state: 'detached' })
    await days(page).nth(6).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await value.waitFor()
    expect(await focused(page).getAttribute('aria-label')).toMatch(/^\w{3}, \w{3} \d+: 1,234 emails$/)
    await page.keyboard.press('Home')
    expect(await days(page).nth(0).and(focused(page)).count()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    expect(await days(page).nth(0).and(focused(page)).count()).toBe(1)
    await page.keyboard.press('End')
    expect(await days(page).nth(6).and(focused(page)).count()).toBe(1)
  })

  it('is read anew when a new day begins while somebody looks', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await aSender(page, site)
    await page.clock.install()
    await page.goto('/')
    await eventually(() => days(page).count()).toBe(7)
    const midnight = await page.evaluate(() => new Date().setHours(24, 0, 1, 0) - Date.now())
    const asked = page.waitForRequest((request) => request.url().includes(ACTIVITY))
    await page.clock.fastForward(midnight)
    await asked
  })

  it('has the days of the person who looks', { tags: 'thorough' }, async ({ browser, site }) => {
    const member = await aMember(site)
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const context = await browser.newContext({
        baseURL: site.origin,
        viewport: DESKTOP,
        locale: 'en-US',
        timezoneId,
      })
      context.setDefaultTimeout(PATIENCE_MS)
      await member.signIn(context)
      const page = await context.newPage()
      const today = () =>
        new Date().toLocaleDateString('en-US', {
          weekday: 'short',
          month: 'short',
          day: 'numeric',
          timeZone: timezoneId,
        })
      const before = today()
      const asked = page.waitForRequest((request) => request.url().includes(ACTIVITY))
      await page.goto('/')
      expect(new URL((await asked).url()).searchParams.get('timeZone')).toBe(timezoneId)
      await eventually(() => days(page).count()).toBe(7)
      // Midnight may fall in between.
      expect([before, today()]).toContain((await tableRows(page)).at(-1)?.[0])
      await context.close()
    }
  })
})
