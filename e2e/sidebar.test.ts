import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it, PHONE } from './harness.ts'
import { button, heading, pathOf } from './steps.ts'

const WEEK_SECONDS = 604_800
const rem = (count: number): number => count * 16

const sidebar = (page: Page): Locator => page.getByRole('complementary', { name: 'Sidebar' })
const sheet = (page: Page): Locator => page.getByRole('dialog')
const toggle = (page: Page): Locator => button(page, 'Toggle sidebar')
const widthOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.width ?? 0

async function open(page: Page): Promise<void> {
  await page.goto('/')
  await heading(page, 'Dashboard').waitFor()
}

describe('the sidebar', () => {
  it('is 16rem wide, and 3rem when the toggle collapsed it to icons', async ({ memberPage: page }) => {
    await open(page)
    expect(await widthOf(sidebar(page))).toBe(rem(16))
    await toggle(page).click()
    await eventually(() => widthOf(sidebar(page))).toBe(rem(3))
    await toggle(page).click()
    await eventually(() => widthOf(sidebar(page))).toBe(rem(16))
  })

  for (const key of ['Control+b', 'Meta+b'])
    it(`is toggled by ${key}`, async ({ memberPage: page }) => {
      await open(page)
      await page.keyboard.press(key)
      await eventually(() => widthOf(sidebar(page))).toBe(rem(3))
      await page.keyboard.press(key)
      await eventually(() => widthOf(sidebar(page))).toBe(rem(16))
    })

  it('is remembered in the cookie sidebar_state for 7 days', async ({ memberPage: page, context }) => {
    await open(page)
    const cookie = async () => (await context.cookies()).find(({ name }) => name === 'sidebar_state')
    expect(await cookie()).toBeUndefined()
    await toggle(page).click()
    await eventually(async () => (await cookie())?.value).toBe('false')
    const lifetime = ((await cookie())?.expires ?? 0) - Date.now() / 1000
    expect(lifetime).toBeGreaterThan(WEEK_SECONDS - 30)
    expect(lifetime).toBeLessThanOrEqual(WEEK_SECONDS)
    await toggle(page).click()
    await eventually(async () => (await cookie())?.value).toBe('true')
  })

  it('is as it was left when the page is loaded again', async ({ memberPage: page }) => {
    await open(page)
    await toggle(page).click()
    await eventually(() => widthOf(sidebar(page))).toBe(rem(3))
    await page.reload()
    await heading(page, 'Dashboard').waitFor()
    expect(await widthOf(sidebar(page))).toBe(rem(3))
  })

  it('names its icons while collapsed', { tags: 'thorough' }, async ({ memberPage: page }) => {
    await open(page)
    await toggle(page).click()
    await page.getByRole('link', { name: 'History', exact: true }).hover()
    await page.getByRole('tooltip', { name: 'History' }).waitFor()
  })
})

describe('below 768 px', () => {
  it('the sidebar is gone, and at 768 px it stands', async ({ memberPage: page }) => {
    await page.setViewportSize({ width: 767, height: 800 })
    await open(page)
    expect(await sidebar(page).count()).toBe(0)
    await page.setViewportSize({ width: 768, height: 800 })
    await sidebar(page).waitFor()
  })

  it('the sidebar opens as a sheet of 18rem from the left', async ({ memberPage: page }) => {
    await page.setViewportSize(PHONE)
    await open(page)
    await toggle(page).click()
    await sheet(page).waitFor()
    await eventually(() => sheet(page).boundingBox()).toMatchObject({ x: 0, width: rem(18), y: 0 })
    await sheet(page).getByText('Postrider', { exact: true }).waitFor()
    expect(
      await sheet(page)
        .getByTestId(/^link-/)
        .count(),
    ).toBe(6)
  })

  it('the sheet closes by Escape, and the focus returns to the toggle', { tags: 'thorough' }, async ({
    memberPage: page,
  }) => {
    await page.setViewportSize(PHONE)
    await open(page)
    await toggle(page).click()
    await sheet(page).waitFor()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
    await eventually(() => toggle(page).and(page.locator(':focus')).count()).toBe(1)
  })

  it('the sheet closes when it led somewhere', async ({ memberPage: page }) => {
    await page.setViewportSize(PHONE)
    await open(page)
    await toggle(page).click()
    await sheet(page).getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await sheet(page).waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe('/history')
  })

  it('Control+b opens and closes the sheet', { tags: 'thorough' }, async ({ memberPage: page }) => {
    await page.setViewportSize(PHONE)
    await open(page)
    await page.keyboard.press('Control+b')
    await sheet(page).waitFor()
    await page.keyboard.press('Control+b')
    await sheet(page).waitFor({ state: 'detached' })
  })
})
