import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SuppressionReason } from '../contract/suppressions.ts'
import { aMember, type Member } from './harness.ts'
import type { Site } from './site.ts'
import { button } from './steps.ts'

export const SUPPRESSIONS = '/api/suppressions'

const LETTERS: Record<SuppressionReason, string> = {
  'hard-bounce': 'h',
  'soft-bounces': 's',
  complaint: 'c',
  unsubscribed: 'u',
  manual: 'm',
}

export type Listed = {
  address: string
  reason: SuppressionReason
  words?: string
  campaignId?: string
  minutesAgo?: number
}

/** As the product would have noted it; no journey can wait until mails have come back. */
export async function suppress({ db }: Site, userId: string, entries: readonly Listed[]): Promise<void> {
  await db
    .insertInto('suppressions')
    .values(
      entries.map(({ address, reason, words = null, campaignId = null, minutesAgo = 0 }) => ({
        ...{ user_id: userId, address, address_key: address.toLowerCase(), reason: LETTERS[reason], words },
        ...{ campaign_id: campaignId, created_at: new Date(Date.now() - minutesAgo * 60_000) },
      })),
    )
    .execute()
}

/** Somebody with a list of their own, for journeys go side by side. */
export async function withSuppressed(
  page: Page,
  site: Site,
  entries: readonly Listed[] = [],
  path = '/suppressions',
): Promise<Member> {
  const member = await aMember(site)
  if (entries.length > 0) await suppress(site, member.userId, entries)
  await member.signInOn(page)
  await page.goto(path)
  return member
}

/** By the API, as somebody else's page would. */
export async function listOf(member: Member): Promise<string[]> {
  const answer = await (await member.client()).get(SUPPRESSIONS)
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { address: string }[]).map(({ address }) => address)
}

export const listed = (page: Page): Locator => page.getByRole('table', { name: 'Suppressed addresses' })

export const addresses = async (page: Page): Promise<string[]> =>
  (await listed(page).getByRole('row').getByRole('cell').nth(0).count()) === 0
    ? []
    : listed(page)
        .getByRole('button', { name: /^Remove / })
        .evaluateAll((buttons) =>
          buttons.map((one) => (one.getAttribute('aria-label') ?? '').replace(/^Remove /, '')),
        )

export const addressSearch = (page: Page): Locator => page.getByPlaceholder('Search addresses...')
export const addDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Add Addresses' })

export async function openAddDialog(page: Page): Promise<Locator> {
  // Where the button stands depends on whether the list is empty: while that is unknown, it may go as it is pressed.
  await listed(page)
    .or(page.getByRole('heading', { name: 'Nobody Is Left Out Yet' }))
    .waitFor()
  await button(page, 'Add Addresses').click()
  return addDialog(page)
}

/** One for each reason, newest first. */
export const EACH: Listed[] = [
  { address: 'gone@example.test', reason: 'hard-bounce', words: '550 5.1.1 No such user', minutesAgo: 1 },
  { address: 'full@example.test', reason: 'soft-bounces', words: '452 Mailbox full', minutesAgo: 2 },
  { address: 'angry@example.test', reason: 'complaint', minutesAgo: 3 },
  { address: 'tired@example.test', reason: 'unsubscribed', minutesAgo: 4 },
  { address: 'rival@other.test', reason: 'manual', minutesAgo: 5 },
]
export const ALL = EACH.map(({ address }) => address)
