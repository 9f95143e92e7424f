import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { ASKED_ANYTIME, answerWith, button, heading, holdBack, pathOf, tryAgain } from './steps.ts'
import { openWithStoppedClock, passTimeUntil, timeUntilLeavingFor, within } from './time.ts'
import { expectToast, toastLines } from './toasts.ts'

const LOGOUT = '/api/auth/logout'
const SESSION = '/api/auth/session'

describe('the session', () => {
  it('is asked for first, behind a spinner', async ({ memberPage: page }) => {
    const letThrough = await holdBack(page, SESSION)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await page.getByRole('status').filter({ hasText: 'Loading' }).locator('svg').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
    await eventually(() => asked.filter((path) => path.startsWith('/api/')).length).toBe(2)
    expect(asked.find((path) => path.startsWith('/api/'))).toBe(SESSION)
    await letThrough()
    await heading(page, 'Dashboard').waitFor()
    expect(await page.getByText('Loading Postrider').count()).toBe(0)
  })

  it('shows the screen that was asked for, not the Dashboard', { tags: 'thorough' }, async ({
    memberPage: page,
  }) => {
    await page.goto('/settings')
    await heading(page, 'Settings').waitFor()
    expect(pathOf(page)).toBe('/settings')
  })

  it('claims neither signed in nor out while the server cannot be reached', { tags: 'thorough' }, async ({
    memberPage: page,
  }) => {
    await page.route(`**${SESSION}`, (route) => route.abort())
    await page.goto('/')
    await heading(page, 'Postrider cannot be reached').waitFor()
    await tryAgain(page, SESSION)
    await heading(page, 'Dashboard').waitFor()
  })
})

describe('logging out', () => {
  it("says 'Logged Out' and opens sign-in after 0.5 s", async ({ memberPage: page, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    await openWithStoppedClock(page, '/templates', page.getByText('No Templates Yet'))
    await button(page, 'Log out').click()
    await passTimeUntil(page, async () => (await toastLines(page))[0] === 'Logged Out')
    expect(await timeUntilLeavingFor(page, '/sign-in')).toSatisfy(within(500))
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('ends the session for every tab', { tags: 'thorough' }, async ({
    memberPage: page,
    context,
    allowRefusal,
  }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    await page.goto('/templates')
    await page.getByText('No Templates Yet').waitFor()
    await button(page, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
    const other = await context.newPage()
    await other.goto('/history')
    await heading(other, 'Sign in to Postrider').waitFor()
  })

  it("says 'Logout Failed' when it failed, stays, and works again", async ({
    memberPage: page,
    expectRefusal,
    allowRefusal,
  }) => {
    expectRefusal(LOGOUT)
    ASKED_ANYTIME.forEach(allowRefusal)
    await page.goto('/templates')
    // Nothing is being read any more that the end of the session could overtake.
    await page.getByText('No Templates Yet').waitFor()
    await page.route(`**${LOGOUT}`, (route) => route.abort())
    await button(page, 'Log out').click()
    await expectToast(page, 'Logout Failed', 'Failed to log out. Please try again.')
    expect(pathOf(page)).toBe('/templates')
    await page.unroute(`**${LOGOUT}`)
    await button(page, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('leaves the focus where it was when it failed', { tags: 'thorough' }, async ({
    memberPage: page,
    expectRefusal,
  }) => {
    expectRefusal(LOGOUT)
    await page.goto('/')
    await answerWith(page, LOGOUT, 500, 'Something went wrong', { afterMs: 200 })
    await button(page, 'Log out').focus()
    await page.keyboard.press('Enter')
    await expectToast(page, 'Logout Failed')
    await eventually(() => button(page, 'Log out').and(page.locator(':focus')).count()).toBe(1)
  })
})
