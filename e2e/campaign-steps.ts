import type { Page } from 'playwright-core'
import type { PastCampaign } from './history-campaigns.ts'
import { withCampaigns } from './history-steps.ts'
import type { Site } from './site.ts'
import { heading } from './steps.ts'

/** The page of a campaign that somebody new has sent. */
export async function openCampaign(page: Page, site: Site, campaign: Partial<PastCampaign>): Promise<string> {
  const [id = ''] = await withCampaigns(page, site, [campaign])
  await page.goto(`/history/${id}`)
  await heading(page, campaign.subject ?? 'News').waitFor()
  return id
}

/** The numbers of the page by their names. */
export const countsOf = (page: Page): Promise<Record<string, string>> =>
  page
    .getByRole('region', { name: 'What became of the recipients' })
    .locator('dl > div')
    .evaluateAll((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => [
          pair.querySelector('dt')?.textContent?.trim(),
          pair.querySelector('dd')?.textContent?.trim(),
        ]),
      ),
    )
