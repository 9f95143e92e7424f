import { closeOpen, holdForNext, letThrough } from './going-on.ts'
import { aMember } from './harness.ts'
import { type PastCampaign, pastCampaign } from './history-campaigns.ts'
import { searchBox } from './history-steps.ts'
import type { State, World } from './state.ts'
import { answerWith, button, field, link, tryAgain } from './steps.ts'

const HISTORY = '/api/email-history**'
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)

/** One of every kind that a list can hold. */
const ALL_KINDS: Partial<PastCampaign>[] = [
  { subject: 'The autumn letter', letters: { a: 1204, f: 3, q: 3793 }, name: 'reader', sentAt: daysAgo(0) },
  {
    ...{ subject: 'Invitation to the harbour festival', letters: { a: 210, q: 90 } },
    ...{ outage: 'smtp.example.test is out of order: the connection was refused', sentAt: daysAgo(1) },
  },
  {
    ...{ subject: 'Monthly news', letters: { a: 4980, f: 13, u: 7 }, sentAt: daysAgo(3) },
    reports: { delivered: 4903, bounced: 61, complained: 2, opened: 2231 },
  },
  { subject: 'Your invoice', letters: { a: 1 }, reports: { delivered: 1, opened: 1 }, sentAt: daysAgo(4) },
  { subject: 'To an address that nobody has', letters: { f: 1 }, sentAt: daysAgo(5) },
  {
    ...{ subject: 'A subject that is longer than most people write, and goes on for a while after that' },
    ...{ letters: { a: 20, c: 80 }, state: 'cancelled', sentAt: daysAgo(8) },
  },
  { subject: 'Sent by a relay that reports nothing', letters: { a: 3 }, sentAt: daysAgo(40) },
]

const LETTER = [
  'Dear readers,',
  '',
  'the leaves are turning, and so is the page: this is what happened at the harbour since summer, and what is planned ' +
    'until the first snow. The lighthouse is open again on Sundays, https://example.test/lighthouse has the hours.',
  '',
  'Yours,',
  'Ann',
].join('\n')

async function visit(
  { page, site }: World,
  path: string | ((ids: string[]) => string),
  campaigns: readonly Partial<PastCampaign>[] = [],
): Promise<void> {
  const member = await aMember(site)
  const ids: string[] = []
  for (const campaign of campaigns) ids.push(await pastCampaign(site, member.userId, campaign))
  await member.signInOn(page)
  await page.goto(typeof path === 'string' ? path : path(ids))
}

const visitCampaign = (world: World, campaign: Partial<PastCampaign>): Promise<void> =>
  visit(world, ([id]) => `/history/${id}`, [campaign])

const MIXED: Partial<PastCampaign> = {
  ...{ subject: 'Monthly news', body: LETTER, letters: { a: 480, f: 5, u: 12, s: 2, c: 8 } },
  ...{ reports: { delivered: 403, bounced: 61, complained: 2, opened: 231 }, name: 'reader' },
}

const HISTORY_LIST: State[] = [
  {
    name: 'history, loading',
    async show(world) {
      await holdForNext(world.page, HISTORY)
      await visit(world, '/history', ALL_KINDS)
      await world.page.getByRole('status').filter({ hasText: 'Loading your sent emails' }).waitFor()
    },
  },
  {
    name: 'history, full',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await link(page, 'Monthly news').waitFor()
    },
  },
  {
    name: 'history, menu open',
    goesOn: true,
    async show({ page }) {
      await button(page, 'Actions for Your invoice').click()
      await page.getByRole('menuitem', { name: 'Resend Email' }).waitFor()
    },
  },
  {
    name: 'history, cancel dialog',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await button(page, 'Cancel The autumn letter').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'history, nothing matches',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await searchBox(page).fill('nothing of that kind')
      await page.getByText('No matching emails').waitFor()
    },
  },
  {
    name: 'history that could not be loaded',
    async show(world) {
      world.expectRefusal('/api/email-history')
      await answerWith(world.page, HISTORY, 503, 'The database cannot be reached')
      await visit(world, '/history')
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'history, empty',
    goesOn: true,
    async show({ page }) {
      await tryAgain(page, HISTORY)
      await page.getByText('No Email History').waitFor()
    },
  },
  {
    name: 'history, filter open',
    rare: true,
    async show(world) {
      await visit(world, '/history?status=sent&from=2026-11-20&to=2026-11-01', ALL_KINDS)
      await world.page.getByRole('button', { name: /^Filter/ }).click()
      await field(world.page, 'Sent from').waitFor()
    },
  },
]

const CAMPAIGN_PAGE: State[] = [
  {
    name: 'campaign, loading',
    async show(world) {
      await holdForNext(world.page, HISTORY.replace('**', '/**'))
      await visitCampaign(world, MIXED)
      await world.page.getByRole('status').filter({ hasText: 'Loading the email' }).waitFor()
    },
  },
  {
    name: 'campaign, finished with all kinds',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await button(page, 'Retry failed').waitFor()
      await button(page, 'reader1@example.test').waitFor()
    },
  },
  {
    name: 'campaign, one delivery',
    goesOn: true,
    async show({ page }) {
      await button(page, 'reader1@example.test').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'campaign, resend to unconfirmed',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await button(page, 'Resend to unconfirmed').click()
      await page.getByRole('dialog').getByText('reader6@example.test').waitFor()
    },
  },
  {
    name: 'campaign, its deliveries',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await page.getByRole('button', { name: /^Failed 5/ }).click()
      await button(page, 'reader6@example.test').waitFor({ state: 'detached' })
      await button(page, 'reader1@example.test').waitFor()
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    },
  },
  {
    name: 'campaign, on its way',
    rare: true,
    async show(world) {
      await visitCampaign(world, { ...ALL_KINDS[0], body: LETTER })
      await button(world.page, 'Pause The autumn letter').waitFor()
    },
  },
  {
    name: 'campaign, paused by an outage',
    goesOn: true,
    async show(world) {
      await visitCampaign(world, { ...ALL_KINDS[1] })
      await world.page.getByText('Sending has stopped').waitFor()
    },
  },
  {
    name: 'campaign, paused to protect the address',
    goesOn: true,
    async show(world) {
      const pausedReason =
        'Paused to protect the sending address that everybody here shares: 61 of your last 1,000 emails came back ' +
        '(6.1 %, the limit is 5 %). Please check where these addresses come from before you resume'
      await visitCampaign(world, { ...ALL_KINDS[1], outage: null, state: 'paused', pausedReason })
      await world.page.getByText('It does not go on by itself').waitFor()
    },
  },
  {
    name: 'campaign that is not there',
    rare: true,
    async show(world) {
      world.expectRefusal('/api/email-history/nothing')
      await visit(world, '/history/nothing')
      await world.page.getByText('This email is not in your history').waitFor()
    },
  },
  {
    name: 'campaign that could not be loaded',
    goesOn: true,
    async show(world) {
      world.expectRefusal('/api/email-history/some')
      await answerWith(world.page, '/api/email-history/some', 503, 'The database cannot be reached')
      await visit(world, '/history/some')
      await button(world.page, 'Try again').waitFor()
    },
  },
]

export const HISTORY_STATES: State[] = [...HISTORY_LIST, ...CAMPAIGN_PAGE]
