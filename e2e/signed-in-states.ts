import { send } from '../server/test/campaigns.ts'
import { inboxAddress } from '../server/test/replies.ts'
import { COMPOSE_STATES } from './compose-states.ts'
import { DASHBOARD_STATES } from './dashboard-states.ts'
import { closeOpen } from './going-on.ts'
import { aMember, anAddress, PHONE } from './harness.ts'
import { HISTORY_STATES } from './history-states.ts'
import { INBOX_STATES } from './inbox-states.ts'
import { SETTINGS_STATES } from './settings-states.ts'
import type { State, World } from './state.ts'
import { ASKED_ANYTIME, button, field, heading } from './steps.ts'
import { SUPPRESSIONS_STATES } from './suppressions-states.ts'
import { TEMPLATES_STATES } from './templates-states.ts'

async function showScreen({ page, member }: World, path: string, title: string): Promise<void> {
  await member.signInOn(page)
  await page.goto(path)
  await heading(page, title).waitFor()
}

/** Everything inside the shell. */
export const SIGNED_IN: State[] = [
  { name: 'dashboard', show: (world) => showScreen(world, '/', 'Dashboard') },
  {
    name: 'shortcuts dialog',
    goesOn: true,
    async show({ page }) {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'logout failed',
    goesOn: true,
    toast: 'Logout Failed',
    async show({ page, expectRefusal }) {
      expectRefusal('/api/auth/logout')
      await closeOpen(page)
      await page.route('**/api/auth/logout', (route) => route.abort())
      await button(page, 'Log out').click()
    },
  },
  {
    name: 'collapsed sidebar with a tooltip',
    goesOn: true,
    only: 'desktop',
    async show({ page }) {
      await button(page, 'Toggle sidebar').click()
      await page.getByTestId('link-history').hover()
      await page.getByRole('tooltip').waitFor()
    },
  },
  {
    name: 'sidebar sheet',
    goesOn: true,
    only: 'phone',
    async show({ page }) {
      await page.setViewportSize(PHONE)
      await button(page, 'Toggle sidebar').click()
      await page.getByRole('dialog').getByTestId('link-inbox').waitFor()
    },
  },
  {
    name: 'signed out elsewhere while something is typed',
    rare: true,
    async show({ page, site, allowRefusal }) {
      await (await aMember(site)).signInOn(page)
      await page.goto('/settings')
      await field(page, 'Sender Name').fill('Ann Keller')
      ASKED_ANYTIME.forEach(allowRefusal)
      await page.context().clearCookies()
      await page.evaluate(() => new BroadcastChannel('postrider-session').postMessage(null))
      await page.getByRole('alert').filter({ hasText: 'You are signed out' }).waitFor()
    },
  },
  { name: 'not-found', show: (world) => showScreen(world, '/no/such/page', '404 Page Not Found') },
  {
    name: 'a link for people who are signed out',
    rare: true,
    show: (world) => showScreen(world, '/reset-password?token=made-up', '404 Page Not Found'),
  },
  ...COMPOSE_STATES,
  ...HISTORY_STATES,
  ...INBOX_STATES,
  ...SETTINGS_STATES,
  ...DASHBOARD_STATES,
  ...TEMPLATES_STATES,
  ...SUPPRESSIONS_STATES,
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
    goesOn: true as const,
    async show({ page, site, member }: World) {
      const { id } = await site.mails.latest(member.email)
      await page.goto(`/local-mailbox?id=${id}&view=${view}`)
      await page.getByRole('region', { name: 'Message', exact: true }).getByRole('heading').waitFor()
      if (view === 'html') await page.frameLocator('iframe').getByRole('heading').waitFor()
    },
  })),
  { name: 'local mailbox, a reply as the recipient', rare: true, show: writeAsRecipient },
  {
    name: 'local mailbox, a reply that has arrived',
    goesOn: true,
    async show({ page }) {
      await page.getByLabel(/^Reply as /).fill('Thank you!')
      await button(page, 'Send reply').click()
      await page.getByRole('status').filter({ hasText: 'has arrived in the inbox at' }).waitFor()
    },
  },
]

/** On a mail whose reply address is an inbox of this installation. */
async function writeAsRecipient({ page, site, member }: World): Promise<void> {
  const client = await member.client()
  const to = anAddress('reader')
  await send(client, { recipients: [to], replyTo: await inboxAddress(client) })
  const { id } = await site.mails.latest(to)
  // As HTML its picture would be asked for, which the mailbox does not do.
  await page.goto(`/local-mailbox?id=${id}&view=text`)
  await page.getByRole('link', { name: 'Reply as the recipient' }).click()
  await page.getByLabel(`Reply as ${to} to`).waitFor()
}
