import type { Page } from 'playwright-core'
import { holdForNext, letThrough } from './going-on.ts'
import { anAddress, signedUp } from './harness.ts'
import type { Site } from './site.ts'
import type { State, World } from './state.ts'
import { button, field, fillSignIn, fillSignUp, heading } from './steps.ts'

const UNKNOWN_USER = '5f0f3c1e-0000-4000-8000-000000000000'

async function resetPath(site: Site): Promise<string> {
  const { email } = await signedUp(site)
  await site.client().post('/api/auth/forgot-password', { email })
  const { pathname, search } = await site.mails.link(email, '/reset-password', 2)
  return pathname + search
}

async function showResetForm({ page, site }: World): Promise<void> {
  await page.goto(await resetPath(site))
  await field(page, 'New Password').waitFor()
}

async function fillReset(page: Page, password: string, confirm = password): Promise<void> {
  await field(page, 'New Password').fill(password)
  await field(page, 'Confirm Password').fill(confirm)
  await button(page, 'Reset Password').click()
}

/** Everything that somebody without a session can come to see. */
export const SIGNED_OUT: State[] = [
  {
    name: 'loading',
    async show({ page }) {
      await holdForNext(page, '/api/auth/session')
      await page.goto('/sign-in')
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    },
  },
  {
    name: 'sign-in',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await field(page, 'Password').waitFor()
    },
  },
  {
    name: 'sign-in refused',
    goesOn: true,
    toast: 'Sign In Failed',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/login')
      await fillSignIn(page, anAddress('nobody'))
      await button(page, 'Sign In').click()
    },
  },
  {
    name: 'unreachable',
    rare: true,
    async show({ page }) {
      await page.route('**/api/auth/session', (route) => route.abort())
      await page.goto('/')
      await heading(page, 'Postrider cannot be reached').waitFor()
    },
  },
  {
    name: 'sign-up',
    async show({ page }) {
      await page.goto('/sign-up')
      await field(page, 'Confirm Password').waitFor()
    },
  },
  {
    name: 'sign-up with a weak password',
    goesOn: true,
    toast: 'Weak Password',
    async show({ page }) {
      await fillSignUp(page, { email: anAddress(), password: 'short' })
      await button(page, 'Sign Up').click()
    },
  },
  {
    name: 'verify-email after sign-up',
    goesOn: true,
    toast: 'Registration Successful',
    async show({ page }) {
      await fillSignUp(page, { email: anAddress() })
      await button(page, 'Sign Up').click()
      await page.getByRole('link', { name: 'Open the local mailbox' }).waitFor()
      await field(page, 'Verification code').fill('12345')
    },
  },
  {
    name: 'verify-email verifying',
    async show({ page }) {
      await holdForNext(page, '/api/auth/verify')
      await page.goto(`/verify-email?userId=${UNKNOWN_USER}&code=123456`)
      await page.getByText('Verifying your email address...').waitFor()
    },
  },
  {
    name: 'verify-email with an expired link',
    goesOn: true,
    toast: 'Auto-verification Failed',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/verify')
      letThrough(page)
      await page.getByRole('link', { name: 'Open the local mailbox' }).waitFor()
    },
  },
  {
    name: 'forgot-password',
    async show({ page }) {
      await page.goto('/forgot-password')
      await field(page, 'Email').waitFor()
    },
  },
  {
    name: 'forgot-password sent',
    goesOn: true,
    async show({ page }) {
      await field(page, 'Email').fill(anAddress())
      await button(page, 'Send Reset Link').click()
      await heading(page, 'Check Your Email').waitFor()
    },
  },
  {
    name: 'reset-password verifying',
    async show({ page }) {
      await holdForNext(page, '/api/auth/reset-password/*')
      await page.goto('/reset-password?token=made-up')
      await page.getByText(/Verifying .*link/).waitFor()
    },
  },
  {
    name: 'reset-password with an invalid link',
    goesOn: true,
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/reset-password/made-up')
      letThrough(page)
      await heading(page, 'Invalid Reset Link').waitFor()
    },
  },
  { name: 'reset-password', show: showResetForm },
  {
    name: 'reset-password with two different passwords',
    goesOn: true,
    toast: "Passwords Don't Match",
    show: ({ page }) => fillReset(page, 'one pass phrase', 'another pass phrase'),
  },
  {
    name: 'reset-password done',
    goesOn: true,
    toast: 'Password Reset Successfully',
    async show({ page }) {
      await fillReset(page, 'an entirely new pass phrase')
      await heading(page, 'Password Reset Complete').waitFor()
    },
  },
]
