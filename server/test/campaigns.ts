import type {
  CampaignDetail,
  DeliveriesPage,
  HistoryEntry,
  SendEmailResponse,
} from '../../contract/campaigns.ts'
import type { Answer, Browser } from './browser.ts'
import { until } from './until.ts'

/** What a person would type; say only what matters. */
export const aSending = (parts: Record<string, unknown> = {}): Record<string, unknown> => ({
  recipients: ['bob@example.test'],
  subject: 'Hello',
  body: 'How are you?',
  ...parts,
})

/** `count` different addresses. */
export const recipients = (count: number, name = 'r'): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}@example.test`)

export async function send(
  browser: Browser,
  parts: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<SendEmailResponse> {
  const answer = await browser.post('/api/send-email', aSending(parts), headers)
  if (answer.status !== 200) throw new Error(`send-email answered ${answer.status}: ${answer.text}`)
  return answer.json() as SendEmailResponse
}

export async function detail(browser: Browser, id: string): Promise<CampaignDetail> {
  const answer = await browser.get(`/api/email-history/${id}`)
  if (answer.status !== 200) throw new Error(`the campaign answered ${answer.status}: ${answer.text}`)
  return answer.json() as CampaignDetail
}

/** Waits until nothing is queued or in flight any more. */
export async function finished(browser: Browser, id: string, milliseconds = 20_000): Promise<CampaignDetail> {
  let latest = await detail(browser, id)
  await until(
    'the campaign is done',
    async () => {
      latest = await detail(browser, id)
      return latest.counts.queued + latest.counts.inFlight === 0
    },
    milliseconds,
  )
  return latest
}

export async function deliveries(browser: Browser, id: string, query = ''): Promise<DeliveriesPage['items']> {
  const answer = await browser.get(`/api/email-history/${id}/deliveries${query}`)
  return (answer.json() as DeliveriesPage).items
}

export const act = (browser: Browser, id: string, action: string, body: object = {}): Promise<Answer> =>
  browser.post(`/api/email-history/${id}/${action}`, body)

/** One page of the history. */
export async function listHistory(
  browser: Browser,
  query = '',
): Promise<{ entries: HistoryEntry[]; next: string | null }> {
  const answer = await browser.get(`/api/email-history${query}`)
  if (answer.status !== 200) throw new Error(`the history answered ${answer.status}: ${answer.text}`)
  return { entries: answer.json() as HistoryEntry[], next: answer.headers['x-next-cursor'] ?? null }
}

/** Every page of it, one after the other. */
export async function walkHistory(browser: Browser, query: string): Promise<HistoryEntry[][]> {
  const pages: HistoryEntry[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await listHistory(browser, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    pages.push(page.entries)
    cursor = page.next
    if (pages.length > 100) throw new Error('the pages do not end')
  }
  return pages
}
