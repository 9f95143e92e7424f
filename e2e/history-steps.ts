import type { Locator, Page } from 'playwright-core'
import { aMember, type Member } from './harness.ts'
import { type PastCampaign, pastCampaign } from './history-campaigns.ts'
import type { Site } from './site.ts'
import { link } from './steps.ts'

export const HISTORY = '/api/email-history'

/** Everyone has a history of their own, and journeys go side by side: so each has an account of its own. */
export async function someoneNew(page: Page, site: Site): Promise<Member> {
  const member = await aMember(site)
  await member.signInOn(page)
  return member
}

/** Somebody who has sent these, opening a page; answers the ids in the same order. */
export async function withCampaigns(
  page: Page,
  site: Site,
  campaigns: readonly Partial<PastCampaign>[],
): Promise<string[]> {
  const { userId } = await someoneNew(page, site)
  const ids: string[] = []
  for (const campaign of campaigns) ids.push(await pastCampaign(site, userId, campaign))
  return ids
}

export const sentEmails = (page: Page): Locator => page.getByRole('table', { name: 'Sent emails' })

export const subjects = (page: Page): Promise<string[]> =>
  sentEmails(page)
    .getByRole('link')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()))

/** The cells of a campaign's row, as somebody reads them. */
export const cellsOf = async (page: Page, subject: string): Promise<string[]> => {
  const row = sentEmails(page)
    .getByRole('row')
    .filter({ has: link(page, subject) })
  const cells = await row.getByRole('cell').allInnerTexts()
  return cells.map((text) => text.replace(/\s+/g, ' ').trim())
}

export const searchBox = (page: Page): Locator => page.getByPlaceholder('Search emails...')
export const filterButton = (page: Page): Locator => page.getByRole('button', { name: /^Filter/ })

/** What was put into session storage, in spite of whoever takes it out again. */
export async function recordStored(page: Page): Promise<(key: string) => Promise<unknown>> {
  await page.addInitScript(() => {
    const original = Storage.prototype.setItem
    Storage.prototype.setItem = function (key: string, value: string) {
      if (this === sessionStorage) original.call(this, `recorded ${key}`, value)
      original.call(this, key, value)
    }
  })
  return async (key) => {
    const text = await page.evaluate((name) => sessionStorage.getItem(`recorded ${name}`), key)
    return text === null ? null : JSON.parse(text)
  }
}
