import type { Locator } from 'playwright-core'
import { send } from '../server/test/campaigns.ts'
import { inboxAddress } from '../server/test/replies.ts'
import { COMPOSE_STATES } from './compose-states.ts'
import { DASHBOARD_STATES } from './dashboard-states.ts'
import { anAddress, PHONE } from './harness.ts'
import { HISTORY_STATES } from './history-states.ts'
import { INBOX_STATES } from './inbox-states.ts'
import { SETTINGS_STATES } from './settings-states.ts'
import type { State, World } from './state.ts'
import { button, heading } from './steps.ts'
import { SUPPRESSIONS_STATES } from './suppressions-states.ts'
import { TEMPLATES_STATES } from './templates-states.ts'

async function showScreen({ page, member }: World, path: string, title: string): Promise<void> {
  await member.signIn(page.context())
  await page.goto(path)
  await heading(page, title).waitFor()
}

/** Everything inside the shell. */
export const SIGNED_IN: State[] = [
  ...(
    [
      ['dashboard', '/', 'Dashboard'],
      ['templates', '/templates', 'Email Templates'],
      ['not-found', '/no/such/page', '404 Page Not Found'],
    ] as const
  ).map(([name, path, title]) => ({ name, show: (world: World) => showScreen(world, path, title) })),
  ...COMPOSE_STATES,
  ...HISTORY_STATES,
  ...INBOX_STATES,
  ...SETTINGS_STATES,
  ...DASHBOARD_STATES,
  ...TEMPLATES_STATES,
  ...SUPPRESSIONS_STATES,
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
    toast: 'Logout Failed',
    async show(world) {
      world.expectRefusal('/api/auth/logout')
      await showScreen(world, '/', 'Dashboard')
      await world.page.route('**/api/auth/logout', (route) => route.abort())
      await button(world.page, 'Log out').click()
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
  {
    name: 'local mailbox, a reply as the recipient',
    async show(world) {
      await writeAsRecipient(world)
    },
  },
  {
    name: 'local mailbox, a reply that has arrived',
    async show(world) {
      const reply = await writeAsRecipient(world)
      await reply.fill('Thank you!')
      await button(world.page, 'Send reply').click()
      await world.page.getByRole('status').filter({ hasText: 'has arrived in the inbox at' }).waitFor()
    },
  },
]

/** On a mail whose reply address is an inbox of this installation. */
async function writeAsRecipient({ page, site, member }: World): Promise<Locator> {
  const client = await member.client()
  const to = anAddress('reader')
  await send(client, { recipients: [to], replyTo: await inboxAddress(client) })
  const { id } = await site.mails.latest(to)
  // As HTML its picture would be asked for, which the mailbox does not do.
  await page.goto(`/local-mailbox?id=${id}&view=text`)
  await page.getByRole('link', { name: 'Reply as the recipient' }).click()
  const reply = page.getByLabel(`Reply as ${to} to`)
  await reply.waitFor()
  return reply
}
