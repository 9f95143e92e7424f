import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  LINK_CODE_MINUTES,
  type LinkCode,
  type TelegramBot,
  type TelegramLinks,
  type TelegramNews,
} from '../../contract/telegram.ts'
import { apiRequest, readJson, unlessGone } from './client.ts'
import { zoneQuery } from './time-zone.ts'

export const telegramBotQuery = queryOptions({
  queryKey: ['/api/telegram/bot'],
  // It may come and go while the page is open, and nobody tells: each visit asks.
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/telegram/bot', undefined, { signal })
    return (await readJson(response)) as TelegramBot
  },
})

export const telegramLinksQuery = queryOptions({
  queryKey: ['/api/telegram/links'],
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/telegram/links', undefined, { signal })
    // The server answers by the same contract; there a date is a date, here its text.
    return (await readJson(response)) as TelegramLinks
  },
})

/** `endsAt` is by the clock of this browser, in milliseconds. */
export type ShownCode = Pick<LinkCode, 'code' | 'url'> & { endsAt: number }

/** A second in which the server answered. */
const DATE_HEADER_MS = 1_000

/** The quiet hours of the bot are those of the person who asks. */
export async function createLinkCode(): Promise<ShownCode> {
  const response = await apiRequest('POST', `/api/telegram/link${zoneQuery()}`, {})
  const { code, url, expiresAt } = (await readJson(response)) as LinkCode
  // Many a clock is minutes off, so what counts is how long the code is good for from the server's answer on. The
  // header names the second; at its end no time is promised that is not there.
  const answeredAt = Date.parse(response.headers.get('date') ?? '') + DATE_HEADER_MS
  const leftMs = Date.parse(expiresAt) - (Number.isNaN(answeredAt) ? Date.now() : answeredAt)
  // The clock of the header may be behind that of the database; nothing is good for longer than it was made for.
  const endsAt = Date.now() + Math.min(leftMs, LINK_CODE_MINUTES * 60_000)
  return { code, url, endsAt }
}

/** The code is worth nothing any more, for whoever may have read it. */
export async function dropLinkCode(): Promise<void> {
  await apiRequest('DELETE', '/api/telegram/code').catch(unlessGone)
}

export async function unlinkTelegram(telegramUserId: string): Promise<void> {
  await apiRequest('DELETE', `/api/telegram/link/${encodeURIComponent(telegramUserId)}`).catch(unlessGone)
}

/** What the server says of the link now. */
export async function noteTelegram(client: QueryClient, { links }: TelegramNews): Promise<void> {
  // An answer that is just being read may be older than this news.
  await client.cancelQueries(telegramLinksQuery)
  client.setQueryData(telegramLinksQuery.queryKey, links)
}
