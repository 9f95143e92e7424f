import { describe, expect } from 'vitest'
import { anAddress, eventually, journey as it, PASSWORD } from './harness.ts'
import { answerWith, button, field, fillSignIn, heading, link, pathOf, signUp } from './steps.ts'
import { openWithStoppedClock, passTimeUntil, timeUntilLeavingFor, within } from './time.ts'
import { expectToast, toastLines } from './toasts.ts'

const LOGIN = '/api/auth/login'
const TITLE = 'Sign in to Postrider'

describe('signing in', () => {
  it("says 'Welcome back' and opens the Dashboard after 1.5 s", async ({ page, member }) => {
    await openWithStoppedClock(page, '/sign-in')
    await fillSignIn(page, member.email)
    await button(page, 'Sign In').click()
    await passTimeUntil(page, async () => (await toastLines(page))[0] === 'Welcome back')
    expect(await timeUntilLeavingFor(page, '/')).toSatisfy(within(1500))
    await heading(page, 'Dashboard').waitFor()
  })

  it("says 'Sign In Failed' with status and sentence, keeps what was typed, and works again", async ({
    page,
    member,
    expectRefusal,
  }) => {
    expectRefusal(LOGIN)
    await page.goto('/sign-in')
    await fillSignIn(page, member.email, 'not my password')
    await button(page, 'Sign In').click()
    await expectToast(page, 'Sign In Failed', '401: Invalid email or password')
    expect(await field(page, 'Email').inputValue()).toBe(member.email)
    expect(await field(page, 'Password').inputValue()).toBe('not my password')

    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Sign In').click()
    await expectToast(page, 'Welcome back')
    await heading(page, 'Dashboard').waitFor()
  })

  it('answers an unknown address like a wrong password', async ({ page, expectRefusal }) => {
    expectRefusal(LOGIN)
    await page.goto('/sign-in')
    await fillSignIn(page, anAddress('nobody'))
    await button(page, 'Sign In').click()
    await expectToast(page, 'Sign In Failed', '401: Invalid email or password')
  })

  it('fails with the words of a server in trouble', { tags: 'thorough' }, async ({
    page,
    member,
    expectRefusal,
  }) => {
    expectRefusal(LOGIN)
    await page.goto('/sign-in')
    await answerWith(page, LOGIN, 500, 'Something went wrong')
    await fillSignIn(page, member.email)
    await button(page, 'Sign In').click()
    await expectToast(page, 'Sign In Failed', '500: Something went wrong')
    expect(await button(page, 'Sign In').isEnabled()).toBe(true)
  })

  it('leads an account whose address is unproven to the code', async ({ page, site, expectRefusal }) => {
    expectRefusal(LOGIN)
    const email = anAddress()
    const userId = await signUp(page, { email })
    await page.goto('/sign-in')
    await fillSignIn(page, email)
    await button(page, 'Sign In').click()
    await page.waitForURL(`**/verify-email?userId=${userId}`)
    await expectToast(page, 'Sign In Failed')
    await field(page, 'Verification code').fill(await site.mails.code(email))
    await button(page, 'Verify Email').click()
    await expectToast(page, 'Email Verified')
  })

  it('needs nothing but the keyboard: email, Tab, password, Enter', { tags: 'thorough' }, async ({
    page,
    member,
  }) => {
    await page.goto('/sign-in')
    await eventually(() => field(page, 'Email').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.type(member.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Welcome back')
    await heading(page, 'Dashboard').waitFor()
  })

  it('offers the way to a forgotten password', async ({ page }) => {
    await page.goto('/sign-in')
    await link(page, 'Forgot password').click()
    await eventually(() => pathOf(page)).toBe('/forgot-password')
  })
})

describe('signed out', () => {
  it('shows sign-in at / and at any other path', async ({ page }) => {
    for (const path of ['/', '/inbox', '/compose/7', '/settings', '/no/such/page']) {
      await page.goto(path)
      await heading(page, TITLE).waitFor()
      await field(page, 'Password').waitFor()
    }
  })
})
