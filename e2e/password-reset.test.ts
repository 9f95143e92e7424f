import { describe, expect } from 'vitest'
import { aMember, anAddress, eventually, journey as it, PASSWORD, signedUp } from './harness.ts'
import type { Site } from './site.ts'
import {
  ASKED_ANYTIME,
  answerWith,
  button,
  field,
  fillSignIn,
  heading,
  holdBack,
  link,
  pathOf,
} from './steps.ts'
import { expectToast } from './toasts.ts'

const FORGOT = '/api/auth/forgot-password'
const RESET = '/api/auth/reset-password'
const NEW_PASSWORD = 'an entirely new pass phrase'

/** The way that the mail with the reset link of a new member names. */
async function aResetLink(site: Site): Promise<{ path: string; email: string }> {
  const { email } = await signedUp(site)
  await site.client().post(FORGOT, { email })
  const { pathname, search } = await site.mails.link(email, '/reset-password', 2)
  return { path: pathname + search, email }
}

describe('a forgotten password', () => {
  it('is answered the same for everyone, and a known address gets its mail', async ({
    page,
    member,
    site,
  }) => {
    for (const email of [member.email, anAddress('nobody')]) {
      await page.goto('/forgot-password')
      await field(page, 'Email').fill(email)
      await button(page, 'Send Reset Link').click()
      await heading(page, 'Check Your Email').waitFor()
      await page
        .getByText('If an account exists with that email, a password reset link has been sent.', {
          exact: true,
        })
        .waitFor()
    }
    await site.mails.link(member.email, '/reset-password', 2)
  })

  it("lets people 'Try Another Email' or go 'Back to Sign In'", async ({ page }) => {
    await page.goto('/forgot-password')
    await field(page, 'Email').fill(anAddress())
    await button(page, 'Send Reset Link').click()
    await button(page, 'Try Another Email').click()
    await field(page, 'Email').fill(anAddress())
    await button(page, 'Send Reset Link').click()
    // The form has such a link as well, which may go while it is pressed.
    await heading(page, 'Check Your Email').waitFor()
    await link(page, 'Back to Sign In').click()
    await eventually(() => pathOf(page)).toBe('/sign-in')
  })

  it('says that the mail was not sent, keeps the address, and works again', async ({
    page,
    expectRefusal,
  }) => {
    expectRefusal(FORGOT)
    const email = anAddress()
    await page.goto('/forgot-password')
    await answerWith(page, FORGOT, 500, 'Something went wrong')
    await field(page, 'Email').fill(email)
    await button(page, 'Send Reset Link').click()
    await expectToast(page, 'Request Failed', 'Failed to send password reset email. Please try again.')
    expect(await field(page, 'Email').inputValue()).toBe(email)
    await page.unroute(`**${FORGOT}`)
    await button(page, 'Send Reset Link').click()
    await heading(page, 'Check Your Email').waitFor()
  })
})

describe('a reset link', () => {
  it('is verified, sets the new password, and leads to sign-in, where it works', async ({ page, site }) => {
    const { path, email } = await aResetLink(site)
    const letThrough = await holdBack(page, `${RESET}/*`)
    await page.goto(path)
    await page.getByText(/Verifying .*link/).waitFor()
    expect(await field(page, 'New Password').count()).toBe(0)
    await letThrough()
    await field(page, 'New Password').fill(NEW_PASSWORD)
    await field(page, 'Confirm Password').fill(NEW_PASSWORD)
    await button(page, 'Reset Password').click()
    await expectToast(page, 'Password Reset Successfully')
    await heading(page, 'Password Reset Complete').waitFor()
    await link(page, 'Go to Sign In').click()
    await eventually(() => pathOf(page)).toBe('/sign-in')
    await fillSignIn(page, email, NEW_PASSWORD)
    await button(page, 'Sign In').click()
    await expectToast(page, 'Welcome back')
  })

  it("shows 'Invalid Reset Link' when it is unknown, and leads to a new one", async ({
    page,
    expectRefusal,
  }) => {
    expectRefusal(`${RESET}/made-up`)
    await page.goto('/reset-password?token=made-up')
    await heading(page, 'Invalid Reset Link').waitFor()
    await link(page, 'Request New Reset Link').or(button(page, 'Request New Reset Link')).click()
    await eventually(() => pathOf(page)).toBe('/forgot-password')
  })

  it('works once', async ({ page, site, expectRefusal }) => {
    const { path } = await aResetLink(site)
    const token = new URL(path, site.origin).searchParams.get('token') ?? ''
    expect((await site.client().post(RESET, { token, password: NEW_PASSWORD })).status).toBe(200)
    expectRefusal(`${RESET}/${token}`)
    await page.goto(path)
    await heading(page, 'Invalid Reset Link').waitFor()
  })

  it('that is opened where somebody is signed in says so, and works once they have logged out', {
    tags: 'thorough',
  }, async ({ page, site, context, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    const { path } = await aResetLink(site)
    const { email, signIn } = await aMember(site)
    await signIn(context)
    await page.goto(path)
    await heading(page, '404 Page Not Found').waitFor()
    await page
      .getByText(`You are signed in as ${email}. This page is for people who are signed out.`)
      .waitFor()
    await button(page, 'Log out and open it').click()
    await field(page, 'New Password').waitFor()
    expect(page.url()).toBe(new URL(path, site.origin).href)
  })

  it('without its token leads to sign-in', async ({ page }) => {
    await page.goto('/reset-password')
    await eventually(() => pathOf(page)).toBe('/sign-in')
    await heading(page, 'Sign in to Postrider').waitFor()
  })
})

describe('the new password', () => {
  it("is 'Password Too Short' below 8 characters", async ({ page, site }) => {
    const { path } = await aResetLink(site)
    await page.goto(path)
    await field(page, 'New Password').fill('1234567')
    await field(page, 'Confirm Password').fill('1234567')
    await button(page, 'Reset Password').click()
    await expectToast(page, 'Password Too Short', 'Password must be at least 8 characters long.')
  })

  it("must be typed twice alike: 'Passwords Don't Match'", async ({ page, site }) => {
    const { path } = await aResetLink(site)
    await page.goto(path)
    await field(page, 'New Password').fill(NEW_PASSWORD)
    await field(page, 'Confirm Password').fill(PASSWORD)
    await button(page, 'Reset Password').click()
    await expectToast(page, "Passwords Don't Match", 'Please make sure both passwords match.')
  })

  it('stays typed when setting it fails, which is said, and works again', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(RESET)
    const { path } = await aResetLink(site)
    await page.goto(path)
    await field(page, 'New Password').fill(NEW_PASSWORD)
    await field(page, 'Confirm Password').fill(NEW_PASSWORD)
    await answerWith(page, RESET, 500, 'Something went wrong')
    await button(page, 'Reset Password').click()
    await expectToast(page, 'Reset Failed', 'Failed to reset password. Please try again.')
    expect(await field(page, 'New Password').inputValue()).toBe(NEW_PASSWORD)
    expect(await field(page, 'Confirm Password').inputValue()).toBe(NEW_PASSWORD)
    await page.unroute(`**${RESET}`)
    await button(page, 'Reset Password').click()
    await heading(page, 'Password Reset Complete').waitFor()
  })
})
