import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Browser as ApiClient } from '../server/test/browser.ts'
import { aMember, eventually, type Member } from './harness.ts'
import type { Site } from './site.ts'

export const STATS = '/api/stats'
export const ACTIVITY = '/api/email-activity'

type Sender = { member: Member; client: ApiClient }

/** A member of their own who has said who they are, signed in on this page. */
export async function aSender(page: Page, site: Site): Promise<Sender> {
  const member = await aMember(site)
  const client = await member.client()
  const answer = await client.post('/api/settings', { fromName: 'Ann Keller', fromEmail: member.email })
  expect(answer.status, answer.text).toBe(200)
  await member.signInOn(page)
  return { member, client }
}

/** Sends by the real application into the local mailbox; answers with the campaign's id. */
export async function send(client: ApiClient, subject: string, count = 1): Promise<string> {
  const recipients = Array.from({ length: count }, (_, index) => `${randomUUID()}-${index}@example.test`)
  const answer = await client.post('/api/send-email', { recipients, subject, body: 'Hello' })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { id: string }).id
}

/** Waits until nobody of a campaign is waiting any more. */
export const finished = (client: ApiClient, id: string): Promise<unknown> =>
  eventually(async () => {
    const { counts } = (await client.get(`/api/email-history/${id}`)).json() as {
      counts: { queued: number; inFlight: number }
    }
    return counts.queued + counts.inFlight
  }).toBe(0)

type Counts = Partial<
  Record<
    | 'queued'
    | 'in_flight'
    | 'accepted'
    | 'failed'
    | 'unknown'
    | 'suppressed'
    | 'cancelled'
    | 'delivered'
    | 'bounced'
    | 'complained'
    | 'opened',
    number
  > & { is_presumed: boolean }
>

/**
 * As if a campaign had come this far, so many days ago: months of sending and the reports of providers cannot be waited
 * for. The counters are those that the dashboard is read from. Whoever is still queued waits in a paused campaign.
 */
export async function pretend(
  site: Site,
  { client }: Sender,
  subject: string,
  counts: Counts,
  daysAgo = 0,
): Promise<string> {
  const id = await send(client, subject)
  await finished(client, id)
  const isOpen = (counts.queued ?? 0) + (counts.in_flight ?? 0) > 0
  await site.db
    .updateTable('runs')
    .set({
      accepted: 0,
      ...counts,
      created_at: new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000),
      ...(isOpen ? { is_open: true, state: 'paused' } : {}),
    })
    .where('campaign_id', '=', id)
    .execute()
  return id
}

/** The card with this title, line by line. */
export const cardLines = async (page: Page, title: string): Promise<string[]> => {
  const card = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true, level: 3 }) })
  return (await card.last().innerText())
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
