import type { Locator, Page } from 'playwright-core'
import { closeOpen, holdForNext, letThrough } from './going-on.ts'
import { aMember } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import type { State, World } from './state.ts'
import { answerWith, button, field, tryAgain } from './steps.ts'
import { addressSearch, type Listed, openAddDialog, SUPPRESSIONS, suppress } from './suppressions-steps.ts'

const LIST = `${SUPPRESSIONS}?*`
const DAY = 24 * 60

async function visit({ page, site }: World, { isEmpty = false } = {}): Promise<void> {
  const member = await aMember(site)
  if (!isEmpty) {
    const news = await pastCampaign(site, member.userId, { subject: 'Monthly news' })
    const long = await pastCampaign(site, member.userId, {
      subject: 'A subject that is longer than most people write, and goes on for a while after that',
    })
    await suppress(site, member.userId, entriesOf(news, long))
  }
  await member.signInOn(page)
  await page.goto('/suppressions')
}

const entriesOf = (news: string, long: string): Listed[] => [
  { address: 'gone@example.test', reason: 'hard-bounce', words: '550 5.1.1 No such user', campaignId: news },
  {
    ...{ address: 'an.address.that.is.rather.long@a-domain-that-is-long-as-well.example.test' },
    ...{ reason: 'soft-bounces', campaignId: long, minutesAgo: 50 },
    words:
      '452 4.2.2 The email account that you tried to reach is over quota and inactive. Please direct the recipient to https://example.test/p/?p=OverQuotaTemp',
  },
  { address: 'angry@example.test', reason: 'complaint', campaignId: news, minutesAgo: DAY },
  { address: 'tired@example.test', reason: 'unsubscribed', campaignId: news, minutesAgo: 2 * DAY },
  { address: 'rival@example.test', reason: 'manual', minutesAgo: 30 * DAY },
]

const removeButton = (page: Page, address: string): Locator => button(page, `Remove ${address}`)

export const SUPPRESSIONS_STATES: State[] = [
  {
    name: 'suppressions, loading',
    async show(world) {
      await holdForNext(world.page, LIST)
      await visit(world)
      await world.page.getByRole('status').filter({ hasText: 'Loading the suppression list' }).waitFor()
    },
  },
  {
    name: 'suppressions, full',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await removeButton(page, 'gone@example.test').waitFor()
    },
  },
  {
    name: 'suppressions, removing somebody who complained',
    goesOn: true,
    async show({ page }) {
      await removeButton(page, 'angry@example.test').click()
      await page.getByRole('dialog').getByText('They asked not to be mailed').waitFor()
    },
  },
  {
    name: 'suppressions, adding some that are wrong',
    goesOn: true,
    async show({ page, expectRefusal }) {
      expectRefusal(SUPPRESSIONS)
      await closeOpen(page)
      const dialog = await openAddDialog(page)
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'left.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Name;E-Mail\nAnn;ann@example.test\nBob;\nEve;eve@example.test\n'),
      })
      await dialog.getByText('2 addresses from left.csv').waitFor()
      await dialog.getByLabel('Addresses', { exact: true }).fill('bob@example.test\nnot an address')
      await dialog.getByRole('button', { name: 'Add Addresses' }).click()
      await dialog.getByText(/^400: /).waitFor()
    },
  },
  {
    name: 'suppressions, asked about what is being entered',
    goesOn: true,
    async show({ page }) {
      await page.evaluate(() => history.pushState(null, '', '/settings'))
      await page.getByText('Discard what you have entered?').waitFor()
    },
  },
  {
    name: 'suppressions, asked about what was entered',
    goesOn: true,
    async show({ page }) {
      await button(page, 'Keep editing').click()
      await closeOpen(page)
      await page.getByTestId('link-history').click()
      await page.getByRole('dialog', { name: 'Leave these addresses?' }).waitFor()
    },
  },
  {
    name: 'suppressions, nothing matches',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await addressSearch(page).fill('nobody')
      await field(page, 'Filter by reason').selectOption({ label: 'Complaint' })
      await page.getByText('No matching addresses').waitFor()
    },
  },
  {
    name: 'suppressions that could not be loaded',
    rare: true,
    async show(world) {
      world.expectRefusal(SUPPRESSIONS)
      await answerWith(world.page, LIST, 503, 'The database cannot be reached')
      await visit(world, { isEmpty: true })
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'suppressions, empty',
    goesOn: true,
    async show({ page }) {
      await tryAgain(page, LIST)
      await page.getByText('Nobody Is Left Out Yet').waitFor()
    },
  },
]
