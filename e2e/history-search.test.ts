import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { filterButton, HISTORY, searchBox, subjects, withCampaigns } from './history-steps.ts'
import type { Site } from './site.ts'
import { button, field, heading, isFocused, link, pathOf, takeSearchBack } from './steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'

const searchOf = (page: Page): string => new URL(page.url()).search

const three = (page: Page, site: Site): Promise<string[]> =>
  withCampaigns(page, site, [
    { subject: 'Autumn letter', name: 'ann', sentAt: new Date(2026, 9, 1, 12) },
    { subject: 'Winter letter', name: 'bob', letters: { f: 1 }, sentAt: new Date(2026, 9, 2, 12) },
    { subject: 'Invoice', name: 'carl', letters: { q: 1 }, sentAt: new Date(2026, 9, 3, 12) },
  ])

describe('searching', () => {
  it('finds by subject and by recipient, and can be emptied', async ({ page, site }) => {
    await three(page, site)
    await page.goto('/history')
    await searchBox(page).fill('LETTER')
    await eventually(() => subjects(page)).toEqual(['Winter letter', 'Autumn letter'])
    await searchBox(page).fill('carl1@')
    await eventually(() => subjects(page)).toEqual(['Invoice'])
    await button(page, 'Clear search').click()
    await eventually(async () => (await subjects(page)).length).toBe(3)
    await searchBox(page).fill('invoice')
    await eventually(() => subjects(page)).toEqual(['Invoice'])
    await searchBox(page).press('Escape')
    await eventually(async () => (await subjects(page)).length).toBe(3)
  })

  it('is for what was typed, also with signs that an address means something by', async ({ page, site }) => {
    await withCampaigns(page, site, [{ subject: 'Only today: 50%deal+gift' }, { subject: 'Invoice' }])
    await page.goto('/history')
    await searchBox(page).fill('50%deal+gi')
    await eventually(() => subjects(page)).toEqual(['Only today: 50%deal+gift'])
    expect(await searchBox(page).inputValue()).toBe('50%deal+gi')
  })

  it('asks for the whole of what is typed in one go, and not letter by letter', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await three(page, site)
    await openWithStoppedClock(page, '/history', link(page, 'Invoice'))
    const asked = new Set<string>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      // The list may also be read again by itself, because something stirs in a campaign.
      if (url.pathname === HISTORY) asked.add(url.searchParams.get('q') ?? '')
    })
    for (const letter of 'winter') {
      await searchBox(page).press(letter)
      await passTime(page, 200)
    }
    expect([...asked].filter(Boolean)).toEqual([])
    await passTime(page, 50)
    await passTimeUntil(page, async () => (await subjects(page)).length === 1)
    expect([...asked].filter(Boolean)).toEqual(['winter'])
  })

  it('is kept by reloading, and by going to a campaign and back', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await three(page, site)
    await page.goto('/history')
    await searchBox(page).fill('winter')
    await eventually(() => searchOf(page)).toBe('?q=winter')
    await page.reload()
    await eventually(() => subjects(page)).toEqual(['Winter letter'])
    expect(await searchBox(page).inputValue()).toBe('winter')

    await link(page, 'Winter letter').click()
    await heading(page, 'Winter letter').waitFor()
    await page.goBack()
    await eventually(() => subjects(page)).toEqual(['Winter letter'])
    expect(await searchBox(page).inputValue()).toBe('winter')

    await link(page, 'Winter letter').click()
    await heading(page, 'Winter letter').waitFor()
    await link(page, 'Email History').click()
    await eventually(() => subjects(page)).toEqual(['Winter letter'])
  })

  it('ends with the link in the sidebar', { tags: 'thorough' }, async ({ page, site }) => {
    await three(page, site)
    await page.goto('/history?q=winter')
    await eventually(() => subjects(page)).toEqual(['Winter letter'])
    await page.getByTestId('link-history').click()
    await eventually(async () => (await subjects(page)).length).toBe(3)
    expect(await searchBox(page).inputValue()).toBe('')
  })

  it('that finds nothing says so, and offers the way back', { tags: 'thorough' }, async ({ page, site }) => {
    await three(page, site)
    await page.goto('/history?status=failed')
    await eventually(() => subjects(page)).toEqual(['Winter letter'])
    await searchBox(page).fill('nothing of that kind')
    await page.getByRole('heading', { name: 'No matching emails' }).waitFor()
    expect(await page.getByText('No Email History').count()).toBe(0)
    await button(page, 'Clear search and filters').press('Enter')
    await eventually(async () => (await subjects(page)).length).toBe(3)
    expect(searchOf(page)).toBe('')
    expect(pathOf(page)).toBe('/history')
    // The button is gone; the keyboard is not.
    expect(await searchBox(page).and(page.locator(':focus')).count()).toBe(1)
  })
})

describe('a search that found nothing', () => {
  it('leaves nothing behind that would call all of them none', async ({ page, site }) => {
    await three(page, site)
    const search = { at: '/history?q=nothing+of+that+kind', none: 'No matching emails', list: HISTORY }
    const letThrough = await takeSearchBack(page, { ...search, box: searchBox(page) })
    expect(await page.getByText('No Email History').count()).toBe(0)
    await letThrough()
    await eventually(async () => (await subjects(page)).length).toBe(3)
  })
})

describe('the filter', () => {
  it('shows one status, in the address and on the button', async ({ page, site }) => {
    await three(page, site)
    await page.goto('/history')
    for (const [label, subject] of [
      ['Sent', 'Autumn letter'],
      ['Failed', 'Winter letter'],
      ['Pending', 'Invoice'],
    ] as const) {
      await filterButton(page).click()
      await field(page, 'Status').selectOption({ label })
      await button(page, 'Done').click()
      await eventually(() => subjects(page)).toEqual([subject])
      expect(searchOf(page)).toBe(`?status=${label.toLowerCase()}`)
    }
    await page.getByRole('button', { name: 'Filter 1 choice made' }).click()
    await button(page, 'Clear filters').click()
    await eventually(async () => (await subjects(page)).length).toBe(3)
    expect(await isFocused(page, page.getByRole('dialog', { name: 'Filter emails' }))).toBe(true)
  })

  it('lets go of a campaign whose status has changed', { tags: 'thorough' }, async ({ page, site }) => {
    const [, , id] = await three(page, site)
    await page.goto('/history?status=pending')
    await eventually(() => subjects(page)).toEqual(['Invoice'])
    await button(page, 'Cancel Invoice').click()
    await button(page, 'Cancel the rest').click()
    await page.getByRole('heading', { name: 'No matching emails' }).waitFor()
    expect(id).toBeTruthy()
  })

  it('knows days as they are where the person is, the last one included', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    // In Auckland, 13 hours ahead of Greenwich then, each of these was sent on the second.
    await withCampaigns(page, site, [
      { subject: 'Before', sentAt: new Date('2026-10-01T10:59:59Z') },
      { subject: 'First minute', sentAt: new Date('2026-10-01T11:00:00Z') },
      { subject: 'Last minute', sentAt: new Date('2026-10-02T10:59:59Z') },
      { subject: 'After', sentAt: new Date('2026-10-02T11:00:00Z') },
    ])
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' })
    await page.goto('/history')
    await filterButton(page).click()
    await field(page, 'Sent from').fill('2026-10-02')
    await field(page, 'Sent until').fill('2026-10-02')
    await eventually(() => subjects(page)).toEqual(['Last minute', 'First minute'])
    expect(searchOf(page)).toBe('?from=2026-10-02&to=2026-10-02')
    await field(page, 'Sent until').fill('2026-10-01')
    await page.getByText('This day is before the first one').waitFor()
  })

  it('takes a date as it is typed, and asks for no year that is still being typed', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await withCampaigns(page, site, [
      { subject: 'Before', sentAt: new Date(2026, 9, 1, 12) },
      { subject: 'That day', sentAt: new Date(2026, 9, 2, 12) },
    ])
    await page.goto('/history')
    await eventually(() => subjects(page)).toEqual(['That day', 'Before'])
    const asked: string[] = []
    page.on('request', (request) => {
      const from = new URL(request.url()).searchParams.get('from')
      if (from) asked.push(from)
    })
    await filterButton(page).click()
    await field(page, 'Sent from').focus()
    await page.keyboard.type('10022026')
    expect(await field(page, 'Sent from').inputValue()).toBe('2026-10-02')
    await eventually(() => subjects(page)).toEqual(['That day'])
    expect(searchOf(page)).toBe('?from=2026-10-02')
    expect(new Set(asked).size).toBe(1)
    // Whoever leaves it like that means it, and can see and mend what stands there.
    await field(page, 'Sent until').focus()
    await page.keyboard.type('10022')
    expect(searchOf(page)).toBe('?from=2026-10-02')
    await field(page, 'Status').focus()
    await eventually(() => searchOf(page)).toBe('?from=2026-10-02&to=0002-10-02')
    expect(await field(page, 'Sent until').inputValue()).toBe('0002-10-02')
    await page.getByText('This day is before the first one').waitFor()
  })

  it('works from the keyboard, and gives the focus back', { tags: 'thorough' }, async ({ page, site }) => {
    await three(page, site)
    await page.goto('/history')
    await link(page, 'Invoice').waitFor()
    await searchBox(page).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await field(page, 'Status').waitFor()
    await eventually(() => field(page, 'Status').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Escape')
    await eventually(() => filterButton(page).and(page.locator(':focus')).count()).toBe(1)
    // The mark beside Delivery explains itself, and then comes the list.
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').getByText('of all that were accepted').waitFor()
    await page.keyboard.press('Tab')
    expect(await link(page, 'Invoice').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Enter')
    await heading(page, 'Invoice').waitFor()
  })
})
