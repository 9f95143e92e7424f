import type { Page } from 'playwright-core'
import { aMember, anAddress, type Member, PHONE } from './harness.ts'
import type { Site } from './site.ts'
import { button, field, fillSignIn, fillSignUp, heading, holdBack, signUp } from './steps.ts'
import { expectToast } from './toasts.ts'

export type World = {
  page: Page
  site: Site
  member: Member
  expectRefusal: (path: string) => void
}

/** A screen in one of its states, and how to get there. */
export type State = {
  name: string
  show(world: World): Promise<void>
  /** Exists at one width only. */
  only?: 'desktop' | 'phone'
}

const UNKNOWN_USER = '5f0f3c1e-0000-4000-8000-000000000000'

async function resetPath(site: Site): Promise<string> {
  const { email } = await aMember(site)
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

async function showScreen({ page, member }: World, path: string, title: string): Promise<void> {
  await member.signIn(page.context())
  await page.goto(path)
  await heading(page, title).waitFor()
}

/** Everything that somebody without a session can come to see. */
export const SIGNED_OUT: State[] = [
  {
    name: 'loading',
    async show({ page }) {
      await holdBack(page, '/api/auth/session')
      await page.goto('/')
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    },
  },
  {
    name: 'unreachable',
    async show({ page }) {
      await page.route('**/api/auth/session', (route) => route.abort())
      await page.goto('/')
      await heading(page, 'Postrider cannot be reached').waitFor()
    },
  },
  {
    name: 'sign-in',
    async show({ page }) {
      await page.goto('/sign-in')
      await field(page, 'Password').waitFor()
    },
  },
  {
    name: 'sign-in refused',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/login')
      await page.goto('/sign-in')
      await fillSignIn(page, anAddress('nobody'))
      await button(page, 'Sign In').click()
      await expectToast(page, 'Sign In Failed')
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
    async show({ page }) {
      await page.goto('/sign-up')
      await fillSignUp(page, { email: anAddress(), password: 'short' })
      await button(page, 'Sign Up').click()
      await expectToast(page, 'Weak Password')
    },
  },
  {
    name: 'verify-email after sign-up',
    async show({ page }) {
      await signUp(page, { email: anAddress() })
      await expectToast(page, 'Registration Successful')
      await page.getByRole('link', { name: 'Open the local mailbox' }).waitFor()
      await field(page, 'Verification code').fill('12345')
    },
  },
  {
    name: 'verify-email verifying',
    async show({ page }) {
      await holdBack(page, '/api/auth/verify')
      await page.goto(`/verify-email?userId=${UNKNOWN_USER}&code=123456`)
      await page.getByText('Verifying your email address...').waitFor()
    },
  },
  {
    name: 'verify-email with an expired link',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/verify')
      await page.goto(`/verify-email?userId=${UNKNOWN_USER}&code=123456`)
      await expectToast(page, 'Auto-verification Failed')
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
    async show({ page }) {
      await page.goto('/forgot-password')
      await field(page, 'Email').fill(anAddress())
      await button(page, 'Send Reset Link').click()
      await heading(page, 'Check Your Email').waitFor()
    },
  },
  {
    name: 'reset-password verifying',
    async show({ page }) {
      await holdBack(page, '/api/auth/reset-password/*')
      await page.goto('/reset-password?token=made-up')
      await page.getByText(/Verifying .*link/).waitFor()
    },
  },
  {
    name: 'reset-password with an invalid link',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/reset-password/made-up')
      await page.goto('/reset-password?token=made-up')
      await heading(page, 'Invalid Reset Link').waitFor()
    },
  },
  { name: 'reset-password', show: showResetForm },
  {
    name: 'reset-password with two different passwords',
    async show(world) {
      await showResetForm(world)
      await fillReset(world.page, 'one pass phrase', 'another pass phrase')
      await expectToast(world.page, "Passwords Don't Match")
    },
  },
  {
    name: 'reset-password done',
    async show(world) {
      await showResetForm(world)
      await fillReset(world.page, 'an entirely new pass phrase')
      await heading(world.page, 'Password Reset Complete').waitFor()
    },
  },
]

/** Everything inside the shell. */
export const SIGNED_IN: State[] = [
  ...(
    [
      ['dashboard', '/', 'Dashboard'],
      ['inbox', '/inbox', 'Inbox'],
      ['compose', '/compose', 'Compose Email'],
      ['templates', '/templates', 'Email Templates'],
      ['history', '/history', 'Email History'],
      ['settings', '/settings', 'Settings'],
      ['not-found', '/no/such/page', '404 Page Not Found'],
    ] as const
  ).map(([name, path, title]) => ({ name, show: (world: World) => showScreen(world, path, title) })),
  {
    name: 'collapsed sidebar with a tooltip',
    only: 'desktop',
    async show(world) {
      await showScreen(world, '/', 'Dashboard')
      await button(world.page, 'Toggle sidebar').click()
      await world.page.getByTestId('link-history').hover()
      await world.page.getByRole('tooltip').waitFor()
    },
  },
  {
    name: 'sidebar sheet',
    only: 'phone',
    async show(world) {
      await world.page.setViewportSize(PHONE)
      await showScreen(world, '/', 'Dashboard')
      await button(world.page, 'Toggle sidebar').click()
      await world.page.getByRole('dialog').getByTestId('link-inbox').waitFor()
    },
  },
  {
    name: 'shortcuts dialog',
    async show(world) {
      await showScreen(world, '/', 'Dashboard')
      await world.page.keyboard.press('?')
      await world.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'logout failed',
    async show(world) {
      world.expectRefusal('/api/auth/logout')
      await showScreen(world, '/', 'Dashboard')
      await world.page.route('**/api/auth/logout', (route) => route.abort())
      await button(world.page, 'Log out').click()
      await expectToast(world.page, 'Logout Failed')
    },
  },
]

/** The page that stands in for a mail provider. */
export const LOCAL_MAILBOX: State[] = [
  {
    name: 'local mailbox with nothing for an address',
    async show({ page }) {
      await page.goto('/local-mailbox?to=nobody@example.test')
      await page.getByRole('heading', { name: 'Nothing for nobody@example.test' }).waitFor()
    },
  },
  ...['html', 'text', 'source'].map((view) => ({
    name: `local mailbox, a mail as ${view}`,
    async show({ page, site, member }: World) {
      const { id } = await site.mails.latest(member.email)
      await page.goto(`/local-mailbox?id=${id}&view=${view}`)
      await page.getByRole('region', { name: 'Message', exact: true }).getByRole('heading').waitFor()
      if (view === 'html') await page.frameLocator('iframe').getByRole('heading').waitFor()
    },
  })),
]
