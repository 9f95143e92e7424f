import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { button, heading, holdBack } from './steps.ts'

const themeOf = async (page: Page): Promise<string[]> =>
  ((await page.locator('html').getAttribute('class')) ?? '')
    .split(' ')
    .filter((name) => /light|dark/.test(name))

/** What local storage holds under the key `theme`. */
const savedIn = async (context: BrowserContext): Promise<string | undefined> =>
  (await context.storageState()).origins
    .flatMap(({ localStorage }) => localStorage)
    .find(({ name }) => name === 'theme')?.value

const DARK_PAPER = 'rgb(10, 15, 30)'

/** The colour behind everything, whichever element has it. */
const paperOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const own = document.body ? getComputedStyle(document.body).backgroundColor : 'rgba(0, 0, 0, 0)'
    return own === 'rgba(0, 0, 0, 0)' ? getComputedStyle(document.documentElement).backgroundColor : own
  })

describe('the theme', () => {
  it('is light by default, whatever the system prefers', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/sign-in')
    await heading(page, 'Sign in to Postrider').waitFor()
    expect(await themeOf(page)).toEqual(['light'])
  })

  it('is switched by the control: a class on the root, and the key theme in local storage', async ({
    memberPage: page,
    context,
  }) => {
    await page.goto('/')
    await button(page, 'Switch to dark theme').click()
    await eventually(() => themeOf(page)).toEqual(['dark'])
    expect(await savedIn(context)).toBe('dark')
    await button(page, 'Switch to light theme').click()
    await eventually(() => themeOf(page)).toEqual(['light'])
    expect(await savedIn(context)).toBe('light')
  })

  it('can be switched signed out as well, and holds after a reload and on every screen', {
    tags: 'thorough',
  }, async ({ page }) => {
    await page.goto('/sign-in')
    await button(page, 'Switch to dark theme').click()
    await eventually(() => themeOf(page)).toEqual(['dark'])
    for (const path of ['/sign-in', '/sign-up', '/local-mailbox']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await paperOf(page), path).toBe(DARK_PAPER)
    }
  })

  it('follows another tab', { tags: 'thorough' }, async ({ page, context }) => {
    await page.goto('/sign-in')
    await button(page, 'Switch to dark theme').waitFor()
    const other = await context.newPage()
    await other.goto('/sign-up')
    await button(other, 'Switch to dark theme').click()
    await eventually(() => themeOf(page)).toEqual(['dark'])
  })

  it('follows another tab that chose while it was still loading', { tags: 'thorough' }, async ({
    page,
    context,
  }) => {
    const letThrough = await holdBack(page, '/api/auth/session')
    await page.goto('/sign-in')
    const other = await context.newPage()
    await other.goto('/sign-up')
    await button(other, 'Switch to dark theme').click()
    await eventually(() => themeOf(other)).toEqual(['dark'])
    await letThrough()
    await button(page, 'Switch to light theme').waitFor()
    expect(await themeOf(page)).toEqual(['dark'])
  })

  it('is on the root before the first paint: no flash', async ({ page }) => {
    await page.addInitScript(() => {
      localStorage.setItem('theme', 'dark')
      const root = () => document.documentElement as HTMLElement | null
      new MutationObserver((_changes, observer) => {
        if (!root()?.classList.contains('dark')) return
        performance.mark('dark on the root')
        observer.disconnect()
      }).observe(document, { attributes: true, childList: true, subtree: true })
    })
    const letThrough = await holdBack(page, '/assets/*.js')
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await eventually(() => paperOf(page)).toBe(DARK_PAPER)
    await letThrough()
    await heading(page, 'Sign in to Postrider').waitFor()
    const timeOf = (name: string) =>
      page.evaluate((entry) => performance.getEntriesByName(entry)[0]?.startTime ?? 0, name)
    // A paint is told of once it is on the screen.
    await eventually(async () => (await timeOf('first-paint')) > 0).toBe(true)
    const dark = await timeOf('dark on the root')
    expect(dark).toBeGreaterThan(0)
    expect(dark).toBeLessThan(await timeOf('first-paint'))
  })
})
