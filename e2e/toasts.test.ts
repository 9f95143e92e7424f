import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it, PHONE } from './harness.ts'
import { button, fillSignUp, heading } from './steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'
import { expectToast, keepToasts, toast, toastLines, toastRegion } from './toasts.ts'

/** Any toast will do: a sign-up with too short a password needs no server. */
async function openWithToast(page: Page): Promise<void> {
  await keepToasts(page)
  await page.goto('/sign-up')
  await fillSignUp(page, { email: 'ann@example.test', password: 'short' })
  await button(page, 'Sign Up').click()
  await expectToast(page, 'Weak Password')
}

/** Drags the toast to the right with the mouse and lets go. */
async function swipe(page: Page, pixels: number): Promise<void> {
  // Swiping starts once the toast has come to rest.
  await toast(page).evaluate((element) =>
    Promise.all(element.getAnimations().map(({ finished }) => finished)),
  )
  const box = await toast(page).boundingBox()
  if (!box) throw new Error('there is no toast')
  const [x, y] = [box.x + 60, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels / 2, y)
  await page.mouse.move(x + pixels, y)
  await page.mouse.up()
}

async function edges(element: Locator): Promise<{ top: number; bottom: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not on the screen')
  return { top: box.y, bottom: box.y + box.height }
}

describe('a toast', () => {
  it('is gone after 5000 ms, not sooner', async ({ page }) => {
    await openWithStoppedClock(page, '/sign-up')
    await fillSignUp(page, { email: 'ann@example.test', password: 'short' })
    await button(page, 'Sign Up').click()
    await passTimeUntil(page, async () => (await toastLines(page)).length > 0)
    await passTime(page, 4900)
    expect(await toastLines(page)).toContain('Weak Password')
    await passTime(page, 100)
    await eventually(() => toastLines(page)).toEqual([])
  })

  it('is alone: the next one takes its place', async ({ page }) => {
    await openWithStoppedClock(page, '/sign-up')
    await fillSignUp(page, { email: 'ann@example.test', password: 'short' })
    await button(page, 'Sign Up').click()
    await passTimeUntil(page, async () => (await toastLines(page)).includes('Weak Password'))
    await fillSignUp(page, { email: 'ann@example.test', confirm: 'another one' })
    await button(page, 'Sign Up').click()
    await passTimeUntil(page, async () => (await toastLines(page)).includes('Password Mismatch'))
    await eventually(() => toastRegion(page).locator('li').count()).toBe(1)
  })

  it('is reached by F8 from anywhere, and closed from there', async ({ page }) => {
    await openWithToast(page)
    await page.keyboard.press('F8')
    await eventually(() => toastRegion(page).locator(':focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    await eventually(() => toastLines(page)).toEqual([])
  })

  it('can be dismissed by its button', { tags: 'thorough' }, async ({ page }) => {
    await openWithToast(page)
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await eventually(() => toastLines(page)).toEqual([])
  })

  it('is dismissed by a swipe to the right beyond 50 px', async ({ page }) => {
    await openWithToast(page)
    await swipe(page, 51)
    await eventually(() => toastLines(page)).toEqual([])
  })

  it('stays after a swipe of less than 50 px, or to the left', async ({ page }) => {
    await openWithToast(page)
    await swipe(page, 49)
    expect(await toastLines(page)).toContain('Weak Password')
    await swipe(page, -55)
    expect(await toastLines(page)).toContain('Weak Password')
  })

  it('is at most 420 px wide on medium screens and up, and inside the screen on a phone', async ({
    page,
  }) => {
    await openWithToast(page)
    const region = toastRegion(page).locator('ol')
    for (const width of [768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await region.boundingBox()
      expect(box?.width, `at ${width} px`).toBeLessThanOrEqual(420)
      expect((box?.x ?? 0) + (box?.width ?? 0), `at ${width} px`).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize(PHONE)
    await eventually(async () => {
      const box = await toast(page).boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= PHONE.width
    }).toBe(true)
  })

  it('stays over a change of screen, and covers neither its header nor its actions', {
    tags: 'thorough',
  }, async ({ memberPage: page, expectRefusal }) => {
    expectRefusal('/api/auth/logout')
    await keepToasts(page)
    await page.goto('/')
    await page.route('**/api/auth/logout', (route) => route.abort())
    await button(page, 'Log out').click()
    await expectToast(page, 'Logout Failed')
    await page.getByTestId('link-compose').click()
    await heading(page, 'Compose Email').waitFor()
    await expectToast(page, 'Logout Failed')
    for (const size of [PHONE, { width: 800, height: 800 }]) {
      await page.setViewportSize(size)
      // The screen takes its new width a moment after it was told.
      await eventually(async () => {
        const { top, bottom } = await edges(toast(page))
        const covered = (await edges(page.getByRole('banner'))).bottom > top ? ['the header'] : []
        for (const action of ['Send Email', 'Save Draft'])
          if ((await edges(button(page, action))).top < bottom) covered.push(action)
        return covered
      }).toEqual([])
    }
  })
})
