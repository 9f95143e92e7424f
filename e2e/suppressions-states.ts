import { aMember } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import type { State, World } from './state.ts'
import { answerWith, button, holdBack } from './steps.ts'
import { type Listed, openAddDialog, SUPPRESSIONS, suppress } from './suppressions-steps.ts'

const LIST = `${SUPPRESSIONS}?*`
const DAY = 24 * 60

async function visit({ page, site }: World, isEmpty = false, query = ''): Promise<void> {
  const member = await aMember(site)
  if (!isEmpty) {
    const news = await pastCampaign(site, member.userId, { subject: 'Monthly news' })
    const long = await pastCampaign(site, member.userId, {
      subject: 'A subject that is longer than most people write, and goes on for a while after that',
    })
    await suppress(site, member.userId, entriesOf(news, long))
  }
  await member.signIn(page.context())
  await page.goto(`/suppressions${query}`)
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

async function visitList(world: World, query = ''): Promise<void> {
  await visit(world, false, query)
  await button(world.page, 'Remove gone@example.test').waitFor()
}

export const SUPPRESSIONS_STATES: State[] = [
  { name: 'suppressions, full', show: (world) => visitList(world) },
  {
    name: 'suppressions, empty',
    async show(world) {
      await visit(world, true)
      await world.page.getByText('Nobody Is Left Out Yet').waitFor()
    },
  },
  {
    name: 'suppressions, loading',
    async show(world) {
      await holdBack(world.page, LIST)
      await visit(world)
      await world.page.getByRole('status').filter({ hasText: 'Loading the suppression list' }).waitFor()
    },
  },
  {
    name: 'suppressions that could not be loaded',
    async show(world) {
      world.expectRefusal(SUPPRESSIONS)
      await answerWith(world.page, LIST, 503, 'The database cannot be reached')
      await visit(world)
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'suppressions, nothing matches',
    async show(world) {
      await visit(world, false, '?q=nobody&reason=complaint')
      await world.page.getByText('No matching addresses').waitFor()
    },
  },
  {
    name: 'suppressions, adding some that are wrong',
    async show(world) {
      world.expectRefusal(SUPPRESSIONS)
      await visitList(world)
      const dialog = await openAddDialog(world.page)
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
    name: 'suppressions, removing somebody who complained',
    async show(world) {
      await visitList(world)
      await button(world.page, 'Remove angry@example.test').click()
      await world.page.getByRole('dialog').getByText('They asked not to be mailed').waitFor()
    },
  },
]
