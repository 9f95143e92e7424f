import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { register } from '../server/test/accounts.ts'
import { anAddress, eventually, journey as it } from './harness.ts'
import { answerWith, button, field, heading, holdBack, signUp } from './steps.ts'
import { openWithStoppedClock, passTimeUntil, timeUntilLeavingFor, within } from './time.ts'
import { expectToast, toastLines } from './toasts.ts'

const VERIFY = '/api/auth/verify'
const RESEND = '/api/auth/resend-verification'
const SUBMIT = 'Verify Email'
const RESEND_BUTTON = 'Resend verification email'
const PERHAPS_SENT =
  'If your sign-up still waits, a new code is on its way. At most three are sent in an hour; after a day, please sign up again.'

const wrongFor = (code: string): string => (code === '000000' ? '000001' : '000000')

describe('the verification code', () => {
  it('is digits only, at most 6, and can be submitted only at exactly 6', async ({ page }) => {
    await page.goto('/verify-email?userId=5f0f3c1e-0000-4000-8000-000000000000')
    const code = field(page, 'Verification code')
    for (const [typed, kept, enabled] of [
      ['a1b2-3', '123', false],
      ['12345', '12345', false],
      ['123456', '123456', true],
      ['1234567890', '123456', true],
      ['', '', false],
    ] as const) {
      await code.clear()
      await code.pressSequentially(typed)
      await eventually(() => code.inputValue()).toBe(kept)
      expect(await button(page, SUBMIT).isEnabled(), `enabled with "${kept}"`).toBe(enabled)
    }
  })

  it('is not waited for in vain where the installation sends no mail and its mailbox is shut', {
    tags: 'thorough',
  }, async ({ page }) => {
    await page.route('**/api/instance', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), localMailbox: null } })
    })
    await page.goto('/verify-email?userId=5f0f3c1e-0000-4000-8000-000000000000')
    await page.getByText('This installation sends no mail yet').waitFor()
    expect(await page.getByRole('link', { name: 'Open the local mailbox' }).count()).toBe(0)
  })

  it("says 'Verification Failed' when it is wrong, keeps it, and takes the right one afterwards", async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(VERIFY)
    const email = anAddress()
    await signUp(page, { email })
    const code = await site.mails.code(email)
    await field(page, 'Verification code').fill(wrongFor(code))
    await button(page, SUBMIT).click()
    await expectToast(page, 'Verification Failed', '400: Invalid verification code, or it has expired')
    expect(await field(page, 'Verification code').inputValue()).toBe(wrongFor(code))

    await field(page, 'Verification code').fill(code)
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
    await heading(page, 'Dashboard').waitFor()
  })

  it("leads to the Dashboard 1.5 s after 'Email Verified'", async ({ page, site }) => {
    const email = anAddress()
    const userId = await signUp(page, { email })
    await openWithStoppedClock(page, `/verify-email?userId=${userId}`)
    await field(page, 'Verification code').fill(await site.mails.code(email))
    await button(page, SUBMIT).click()
    await passTimeUntil(page, async () => (await toastLines(page))[0] === 'Email Verified')
    expect(await timeUntilLeavingFor(page, '/')).toSatisfy(within(1500))
    await heading(page, 'Dashboard').waitFor()
  })

  it("says 'Invalid verification code' when the failure brings no message", async ({ page }) => {
    await page.goto('/verify-email?userId=5f0f3c1e-0000-4000-8000-000000000000')
    await answerWith(page, VERIFY, 200, '{}')
    await field(page, 'Verification code').fill('123456')
    await button(page, SUBMIT).click()
    await expectToast(page, 'Verification Failed', 'Invalid verification code')
  })

  it('cannot be checked or sent again without a userId', async ({ page }) => {
    await page.goto('/verify-email')
    await field(page, 'Verification code').fill('123456')
    await button(page, SUBMIT).click()
    await expectToast(page, 'Error', 'User ID missing. Please try registering again.')
    await page.reload()
    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Error', 'User ID missing. Please try registering again.')
  })
})

describe('asking for another verification email', () => {
  it("says 'Verification Email Sent', and the new code works", async ({ page, site }) => {
    const email = anAddress()
    await signUp(page, { email })
    await site.mails.code(email)
    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Verification Email Sent', PERHAPS_SENT)
    await field(page, 'Verification code').fill(await site.mails.code(email, 2))
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
  })

  it('promises nothing that was not sent: past the limits the words are the same, and the last code still works', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const email = anAddress()
    const userId = await signUp(page, { email })
    await site.mails.code(email)
    for (let call = 1; call <= 3; call++) {
      await site.client().post(RESEND, { userId })
      await site.mails.code(email, 1 + call)
    }
    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Verification Email Sent', PERHAPS_SENT)
    await field(page, 'Verification code').fill(await site.mails.code(email, 4))
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
  })

  it("says 'Failed to Resend' when it was not sent, and works again", async ({ page, expectRefusal }) => {
    expectRefusal(RESEND)
    await page.goto('/verify-email?userId=5f0f3c1e-0000-4000-8000-000000000000')
    await answerWith(page, RESEND, 429, 'Too many attempts')
    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Failed to Resend', '429: Too many attempts')
    await page.unroute(`**${RESEND}`)
    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Verification Email Sent')
  })
})

describe('the link in the verification mail', () => {
  it("verifies by itself: 'Verifying your email address...', 'Email Verified', Dashboard", async ({
    page,
    site,
  }) => {
    const email = anAddress()
    await signUp(page, { email })
    const letThrough = await holdBack(page, VERIFY)
    const { href } = await site.mails.link(email, '/verify-email')
    await page.goto(href)
    await page.getByText('Verifying your email address...', { exact: true }).waitFor()
    await letThrough()
    await expectToast(page, 'Email Verified')
    await heading(page, 'Dashboard').waitFor()
  })

  it('falls back to typing the code when it has expired, and says so', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(VERIFY)
    const email = anAddress()
    const userId = await signUp(page, { email })
    const { href } = await site.mails.link(email, '/verify-email')
    await sql`update registrations set code_expires_at = now() where id = ${userId}`.execute(site.db)
    await page.goto(href)
    await expectToast(page, 'Auto-verification Failed')
    await page.getByRole('main').getByText('may have expired').waitFor()
    await field(page, 'Verification code').waitFor()

    await button(page, RESEND_BUTTON).click()
    await expectToast(page, 'Verification Email Sent')
    await field(page, 'Verification code').fill(await site.mails.code(email, 2))
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
  })

  it('says what to do when it confirms a sign-up that was made in another browser', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(VERIFY)
    const email = anAddress()
    await signUp(page, { email })
    const code = await site.mails.code(email)
    const ownPage = page.url()
    await register(site.client(), email, 'the phrase of a stranger')
    const { href } = await site.mails.link(email, '/verify-email', 2)
    await page.goto(href)
    await expectToast(
      page,
      'Auto-verification Failed',
      '400: Please enter the code on the page where you signed up, or sign up again in this browser',
    )
    await page.goto(ownPage)
    await field(page, 'Verification code').fill(code)
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
  })

  it('falls back to typing the code when its code is wrong', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(VERIFY)
    const email = anAddress()
    await signUp(page, { email })
    const { href } = await site.mails.link(email, '/verify-email')
    const code = await site.mails.code(email)
    await page.goto(href.replace(code, wrongFor(code)))
    await expectToast(page, 'Auto-verification Failed')
    await field(page, 'Verification code').fill(code)
    await button(page, SUBMIT).click()
    await expectToast(page, 'Email Verified')
  })
})
