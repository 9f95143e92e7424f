import type { Page, Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it, PHONE } from './harness.ts'
import { button, heading, pathOf } from './steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'

/** The head of each screen: its title and the sentence below it; null where any one sentence will do. */
const SCREENS = [
  ['Dashboard', '/', 'Dashboard', 'Overview of your email sending activity'],
  ['Inbox', '/inbox', 'Inbox', null],
  ['Compose', '/compose', 'Compose Email', 'Create and send emails to multiple recipients'],
  ['Templates', '/templates', 'Email Templates', null],
  ['History', '/history', 'Email History', 'Track all your sent emails and their status'],
  ['Settings', '/settings', 'Settings', null],
] as const

const testIdOf = (title: string): string => `link-${title.toLowerCase()}`

describe('the sidebar', () => {
  it('is headed with the product name and offers the six screens in their order', async ({
    memberPage: page,
  }) => {
    await page.goto('/')
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    await sidebar.getByText('Postrider', { exact: true }).waitFor()
    const links = sidebar.getByTestId(/^link-/)
    expect(await links.allInnerTexts()).toEqual(SCREENS.map(([title]) => title))
    for (const [title, path] of SCREENS)
      expect(await sidebar.getByTestId(testIdOf(title)).getAttribute('href')).toBe(path)
  })

  it('opens each screen, with its heading and subtitle, and says its name', async ({ memberPage: page }) => {
    await page.goto('/')
    const said = page.locator('[aria-live=polite]')
    for (const [title, path, head, subtitle] of [...SCREENS].reverse()) {
      await page.getByTestId(testIdOf(title)).click()
      await heading(page, head).waitFor()
      expect(pathOf(page)).toBe(path)
      if (subtitle) await page.getByRole('main').getByText(subtitle, { exact: true }).waitFor()
      await eventually(() => said.textContent()).toBe(`${head} · Postrider`)
    }
  })

  it('marks an entry as active only when its path is the location exactly', async ({
    memberPage: page,
    expectRefusal,
  }) => {
    const active = () => page.locator('[data-testid^=link-][aria-current=page]').allInnerTexts()
    await page.goto('/')
    for (const [title, path, head] of SCREENS) {
      await page.getByTestId(testIdOf(title)).click()
      await heading(page, head).waitFor()
      expect(await active(), `at ${path}`).toEqual([title])
    }
    // There is no such template; the screen says so by itself.
    expectRefusal('/api/templates/5f0f3c1e')
    await page.goto('/compose/5f0f3c1e')
    await heading(page, 'Compose Email').waitFor()
    await page.getByText('Failed to fetch template').waitFor()
    expect(await active(), 'at /compose/5f0f3c1e').toEqual([])
  })
})

describe('a path that is no screen', () => {
  it("shows '404 Page Not Found' inside the shell, and no entry is active", async ({ memberPage: page }) => {
    await page.goto('/no/such/page')
    await heading(page, '404 Page Not Found').waitFor()
    await page.getByText('Did you forget to add the page to the router?', { exact: true }).waitFor()
    await page.getByTestId('link-dashboard').waitFor()
    expect(await page.locator('[data-testid^=link-][aria-current]').count()).toBe(0)
  })
})

describe('a tooltip', () => {
  it('appears after 700 ms', async ({ memberPage: page }) => {
    await openWithStoppedClock(page, '/')
    await button(page, 'Toggle sidebar').hover()
    const tooltip = page.getByRole('tooltip')
    await passTime(page, 690)
    expect(await tooltip.count()).toBe(0)
    await passTime(page, 20)
    await eventually(() => tooltip.count()).toBe(1)
    expect(await tooltip.textContent()).toBe('Toggle sidebar')
  })
})

describe('keyboard shortcuts', () => {
  it("are listed in a dialog by '?'; Escape closes it and gives the focus back", {
    tags: 'thorough',
  }, async ({ memberPage: page }) => {
    await page.goto('/')
    // By then the keys are listened to; the sidebar stands there a moment before.
    await heading(page, 'Dashboard').waitFor()
    const history = page.getByTestId('link-history')
    await history.focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    await dialog.getByText('Send the email').waitFor()
    const keys = await dialog.locator('kbd').allInnerTexts()
    expect(keys).toEqual(expect.arrayContaining(['B', 'F8', '?', 'Esc', 'G']))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => history.and(page.locator(':focus')).count()).toBe(1)
  })

  it('lead to each screen: G and its letter', async ({ memberPage: page }) => {
    // The letter has to follow soon, by a clock that must not run while the journey is held up.
    await openWithStoppedClock(page, '/', heading(page, 'Dashboard'))
    for (const [key, head] of [
      ['i', 'Inbox'],
      ['c', 'Compose Email'],
      ['t', 'Email Templates'],
      ['h', 'Email History'],
      ['s', 'Settings'],
      ['d', 'Dashboard'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await passTimeUntil(page, () => heading(page, head).isVisible())
    }
  })
})

describe('reduced motion', () => {
  const running = () => document.getAnimations().length

  it('is honoured: nothing moves where otherwise something would', async ({ memberPage: page }) => {
    await page.setViewportSize(PHONE)
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion })
      await page.goto('/')
      await heading(page, 'Dashboard').waitFor()
      await page.evaluate(() => {
        // The sheet's entrance lasts less than the way of a question to the page: what started is remembered.
        document.addEventListener('animationstart', () => document.body.setAttribute('data-moved', ''), true)
      })
      await button(page, 'Toggle sidebar').click()
      await page.getByRole('dialog').getByTestId('link-inbox').waitFor()
      const moved = page.locator('body[data-moved]')
      if (reducedMotion === 'no-preference') await eventually(() => moved.count()).toBe(1)
      else expect([await moved.count(), await page.evaluate(running)]).toEqual([0, 0])
    }
  })
})

describe('what is loaded', () => {
  const scriptsOf = async (page: Page, path: string): Promise<string[]> => {
    const scripts: string[] = []
    const note = (request: Request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    }
    page.on('request', note)
    await page.goto(path)
    // The one of the screen: until the session is known there is another.
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: /^Postrider$/ })
      .waitFor()
    page.off('request', note)
    return scripts
  }

  it('is a handful of scripts, whichever screen', { tags: 'thorough' }, async ({ memberPage: page }) => {
    // The theme, the frame, the contract, what all screens share, what the signed-in share, their routes, the screen.
    for (const [, path] of SCREENS) expect((await scriptsOf(page, path)).length, path).toBeLessThanOrEqual(7)
  })

  it('is nothing of what belongs to the signed-in, where somebody is not', async ({ page }) => {
    for (const path of ['/sign-in', '/sign-up', '/forgot-password']) {
      const scripts = await scriptsOf(page, path)
      expect(scripts.length, path).toBeGreaterThanOrEqual(3)
      expect(scripts.filter((script) => /contract|signed-in/.test(script))).toEqual([])
    }
  })
})
