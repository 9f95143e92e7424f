import { describe, expect } from 'vitest'
import { anAddress, eventually, journey as it, PASSWORD, test } from './harness.ts'
import { answerWith, button, field, fillSignUp, heading, link, pathOf } from './steps.ts'
import { expectToast, toastLines } from './toasts.ts'

const REGISTER = '/api/auth/register'

describe('signing up', () => {
  // Alone, for the mailbox is everybody's: it opens what comes in, and draws its list anew.
  test('leads from the form through the code in the local mailbox to the Dashboard', async ({
    page,
    context,
  }) => {
    const email = anAddress()
    await page.goto('/sign-up')
    await fillSignUp(page, { email })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Successful')
    await page.waitForURL(/\/verify-email\?userId=[0-9a-f-]{36}$/)

    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open the local mailbox' }).click()
    const mailbox = await opening
    const mail = mailbox.getByRole('link').filter({ hasText: email })
    await mail.click()
    await mailbox.waitForURL(/[?&]id=/)
    const code = await mailbox
      .frameLocator('iframe')
      .getByText(/^\s*\d{6}\s*$/)
      .innerText()
    await mailbox.close()

    await field(page, 'Verification code').fill(code.trim())
    await button(page, 'Verify Email').click()
    await expectToast(page, 'Email Verified')
    await heading(page, 'Dashboard').waitFor()
    expect(pathOf(page)).toBe('/')
  })

  it('is offered from sign-in, and leads back there', async ({ page }) => {
    await page.goto('/sign-in')
    await link(page, 'Sign up').click()
    await eventually(() => pathOf(page)).toBe('/sign-up')
    await link(page, 'Sign in').click()
    await eventually(() => pathOf(page)).toBe('/sign-in')
  })

  it('requires an email, of the email type, before anything is sent', async ({ page }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, { email: '' })
    await button(page, 'Sign Up').click()
    const email = field(page, 'Email')
    expect(await email.getAttribute('type')).toBe('email')
    await page.locator('input[type=email]:invalid:focus').waitFor()
    await email.fill('no address')
    await button(page, 'Sign Up').click()
    await page.locator('input[type=email]:invalid').waitFor()
    expect(pathOf(page)).toBe('/sign-up')
    expect(await toastLines(page)).toEqual([])
  })

  it("says 'Weak Password' below 8 characters", async ({ page }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, { email: anAddress(), password: '1234567' })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Weak Password', 'Password must be at least 8 characters')
  })

  it("says 'Password Mismatch' when the two passwords differ", async ({ page }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, { email: anAddress(), confirm: `${PASSWORD}!` })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Password Mismatch', 'Passwords do not match')
  })

  it("says 'Registration Failed' with the server's words, keeps what was typed, and works again", async ({
    page,
    expectRefusal,
  }) => {
    expectRefusal(REGISTER)
    const email = anAddress()
    await page.goto('/sign-up')
    await answerWith(page, REGISTER, 503, 'Postrider is starting')
    await fillSignUp(page, { email })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Failed', '503: Postrider is starting')
    expect(await field(page, 'Email').inputValue()).toBe(email)
    expect(await field(page, 'Password').inputValue()).toBe(PASSWORD)
    expect(await field(page, 'Confirm Password').inputValue()).toBe(PASSWORD)

    await page.unroute(`**${REGISTER}`)
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Successful')
  })

  it("says 'Registration Failed' when there is no answer at all", { tags: 'thorough' }, async ({
    page,
    expectRefusal,
  }) => {
    expectRefusal(REGISTER)
    await page.goto('/sign-up')
    await page.route(`**${REGISTER}`, (route) => route.abort())
    await fillSignUp(page, { email: anAddress() })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Failed')
    expect(await button(page, 'Sign Up').isEnabled()).toBe(true)
  })

  it("says 'Failed to create account' when the failure brings no message", async ({ page }) => {
    await page.goto('/sign-up')
    await answerWith(page, REGISTER, 200, '{}')
    await fillSignUp(page, { email: anAddress() })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Failed', 'Failed to create account')
  })

  it('shows the status text when a refusal has no body', { tags: 'thorough' }, async ({
    page,
    expectRefusal,
  }) => {
    expectRefusal(REGISTER)
    await page.goto('/sign-up')
    await answerWith(page, REGISTER, 502, '')
    await fillSignUp(page, { email: anAddress() })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Failed', '502: Bad Gateway')
  })

  it('answers a known address like a new one', async ({ page, member, site }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, { email: member.email })
    await button(page, 'Sign Up').click()
    await expectToast(page, 'Registration Successful')
    await page.waitForURL(/\/verify-email\?userId=./)
    expect((await site.mails.latest(member.email, 2)).subject).toBe('You already have a Postrider account')
  })
})
