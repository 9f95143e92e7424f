import { ACTIVITY, aSender, pretend, STATS } from './dashboard-steps.ts'
import { holdForNext, letThrough } from './going-on.ts'
import { aMember } from './harness.ts'
import type { State, World } from './state.ts'
import { answerWith, button, heading } from './steps.ts'

const HISTORY = '/api/email-history?*'

async function visit({ page }: World): Promise<void> {
  await page.goto('/')
  await heading(page, 'Dashboard').waitFor()
}

async function loaded({ page }: World): Promise<void> {
  await page.getByRole('heading', { name: 'Total Sent' }).waitFor()
  await page.getByRole('table').waitFor({ state: 'attached' })
  await page
    .getByText(/of [\d,]+ accepted|Nothing is on its way/)
    .first()
    .waitFor()
}

async function visitLoaded(world: World): Promise<void> {
  await visit(world)
  await loaded(world)
}

/** A week of somebody who sends a lot. */
async function pretendAWeek({ page, site }: World, more: Parameters<typeof pretend>[3] = {}): Promise<void> {
  const sender = await aSender(page, site)
  const week = [1204, 0, 860, 2310, 0, 40, 1750]
  for (const [index, accepted] of week.entries())
    if (accepted > 0)
      await pretend(site, sender, `Letter ${index + 1}`, { accepted }, week.length - 1 - index)
  const reports = { delivered: 5900, bounced: 61, complained: 3, opened: 2480 }
  await pretend(site, sender, 'The summer letter', { accepted: 200, failed: 23, ...reports, ...more }, 30)
}

async function pretendRunning(world: World): Promise<void> {
  const { page, site } = world
  const sender = await aSender(page, site)
  await pretend(site, sender, 'The autumn letter', { accepted: 1204, failed: 3, unknown: 12, queued: 3781 })
  await pretend(site, sender, 'Hi', { accepted: 1, queued: 1 })
  await pretend(
    site,
    sender,
    'A subject that is much longer than what fits on one line of this narrow card',
    {
      accepted: 10,
      queued: 90,
    },
  )
}

export const DASHBOARD_STATES: State[] = [
  {
    name: 'dashboard loading',
    async show(world) {
      const { page, site } = world
      await aSender(page, site)
      for (const path of [STATS, `${ACTIVITY}?*`, HISTORY]) await holdForNext(page, path)
      await visit(world)
      await page.getByText('Loading activity data...').waitFor()
    },
  },
  {
    name: 'dashboard, first run with a sender',
    goesOn: true,
    async show(world) {
      letThrough(world.page)
      await loaded(world)
    },
  },
  {
    name: 'dashboard, full',
    async show(world) {
      await pretendAWeek(world)
      await visitLoaded(world)
    },
  },
  {
    name: 'dashboard, what a rate is of',
    goesOn: true,
    async show({ page }) {
      await button(page, 'How Open Rate is counted').focus()
      await page.getByRole('tooltip').waitFor()
    },
  },
  {
    name: 'dashboard, warning, danger and unconfirmed',
    goesOn: true,
    async show(world) {
      await pretendAWeek(world, { bounced: 480, complained: 12, unknown: 118, suppressed: 4, cancelled: 30 })
      await visitLoaded(world)
      await world.page.getByText('118 unconfirmed').waitFor()
    },
  },
  {
    name: 'dashboard, sending now',
    goesOn: true,
    async show(world) {
      await pretendRunning(world)
      await visitLoaded(world)
      await world.page.getByRole('link', { name: 'The autumn letter' }).waitFor()
    },
  },
  {
    name: 'dashboard that could not be loaded',
    rare: true,
    async show(world) {
      const { page, site, expectRefusal } = world
      await (await aMember(site)).signInOn(page)
      for (const path of [STATS, ACTIVITY, '/api/email-history']) expectRefusal(path)
      for (const path of [STATS, `${ACTIVITY}?*`, HISTORY])
        await answerWith(page, path, 503, 'The database cannot be reached')
      await visit(world)
      await page.getByRole('button', { name: 'Try again' }).nth(2).waitFor()
    },
  },
]
