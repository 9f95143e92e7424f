import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type CampaignDetail, CampaignProgress } from '../../contract/campaigns.ts'
import type { MessageNews } from '../../contract/inbox.ts'
import type { TelegramNews } from '../../contract/telegram.ts'
import {
  campaignKey,
  campaignsKey,
  deliveriesKey,
  type HistoryPageOfEntries,
  historyKey,
} from './campaigns.ts'
import { inboxSummaryQuery } from './inbox.ts'
import { noteGone, noteMessage, noteSentMail, readAround, readInboxAgain } from './inbox-live.ts'
import { readAgain } from './read-again.ts'
import { activityKey, statsKey } from './stats.ts'
import { keepOpen } from './stream.ts'
import { noteTelegram, telegramLinksQuery } from './telegram.ts'

/** Numbers that many campaigns move at once are asked for at most this often. */
const COUNTING_MS = 1_000
/** A list is long: what stirs in campaigns that it does not show is no reason to read all of it three times a second. */
const LISTING_MS = 10_000

/** Keeps what screens show of campaigns, statistics, the inbox and Telegram up to date while a page is open. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => {
    const countAgain = atMostEvery(COUNTING_MS, () => {
      readAgain(client, { queryKey: statsKey })
      readAgain(client, { queryKey: activityKey })
    })
    const listAgain = atMostEvery(LISTING_MS, () => readAgain(client, { queryKey: historyKey }))
    const readInboxNumbers = atMostEvery(COUNTING_MS, () => readAround(client))
    const countInbox = atMostEvery(COUNTING_MS, () => readAgain(client, inboxSummaryQuery))
    let isBehind = false
    const close = keepOpen('/api/events', (source) => {
      source.addEventListener('error', () => {
        isBehind = true
      })
      source.addEventListener('open', () => {
        // While it was closed anything may have happened to campaigns; deliveries are read again when they are next shown.
        if (isBehind) {
          countAgain()
          listAgain()
          readAgain(client, { queryKey: campaignsKey })
        } else readMoving(client)
        // Also the first time: what came between the reading of the list and this moment nobody has told us.
        readInboxAgain(client)
        readAgain(client, telegramLinksQuery)
        isBehind = false
      })
      source.addEventListener('campaign', ({ data }: MessageEvent<string>) => {
        const progress = CampaignProgress.safeParse(JSON.parse(data))
        if (!progress.success) return
        // Sent from elsewhere: another tab, Telegram.
        if (!note(client, progress.data)) listAgain()
        noteSentMail(client, progress.data.id)
        countAgain()
      })
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        // As the server describes it by the contract; there a date is a date, here its text.
        const news = JSON.parse(data) as MessageNews
        if ('isGone' in news) {
          noteGone(client, news)
          readInboxNumbers()
          return
        }
        noteMessage(client, news)
        // What was only read stands in its conversation as before.
        if (news.isUnread) readInboxNumbers()
        else countInbox()
        if (news.campaign) readAgain(client, { queryKey: campaignKey(news.campaign.id) })
      })
      source.addEventListener('telegram', ({ data }: MessageEvent<string>) => {
        // As above.
        void noteTelegram(client, JSON.parse(data) as TelegramNews)
      })
    })
    return () => {
      close()
      countAgain.cancel()
      listAgain.cancel()
      readInboxNumbers.cancel()
      countInbox.cancel()
    }
  }, [client])
}

/** Campaigns that were under way when they were read, before anybody told us how they go on. */
function readMoving(client: QueryClient): void {
  const isMoving = ({ status }: Pick<CampaignDetail, 'status'>) => status === 'pending'
  for (const [queryKey, campaign] of client.getQueriesData<CampaignDetail>({ queryKey: campaignsKey }))
    if (campaign && isMoving(campaign)) void client.invalidateQueries({ queryKey })
  const lists = client.getQueriesData<InfiniteData<HistoryPageOfEntries>>({ queryKey: historyKey })
  for (const [queryKey, list] of lists)
    if (list?.pages.some(({ entries }) => entries.some(isMoving))) void client.invalidateQueries({ queryKey })
}

/** Answers whether a list showed this campaign. */
function note(client: QueryClient, progress: CampaignProgress): boolean {
  const queryKey = campaignKey(progress.id)
  if (client.getQueryData<CampaignDetail>(queryKey) === undefined)
    readAgain(client, { queryKey, exact: true })
  client.setQueryData<CampaignDetail>(queryKey, (known) => known && { ...known, ...progress })
  let isListed = false
  client.setQueriesData<InfiniteData<HistoryPageOfEntries>>({ queryKey: historyKey }, (known) => {
    if (!known) return known
    return {
      ...known,
      pages: known.pages.map((page) => ({
        ...page,
        entries: page.entries.map((entry) => {
          if (entry.id !== progress.id) return entry
          isListed = true
          return { ...entry, ...progress }
        }),
      })),
    }
  })
  markStale(client, progress.id)
  return isListed
}

const AGAIN_MS = 300

/** A page that is just being read may be older than this news, and would make the list look fresh: marked again after. */
function markStale(client: QueryClient, id: string): void {
  const queryKey = deliveriesKey(id)
  void client.invalidateQueries({ queryKey, refetchType: 'none' })
  if (client.isFetching({ queryKey }) > 0) setTimeout(() => markStale(client, id), AGAIN_MS)
}

/** Acts at once, and then no more often than `milliseconds`; the last call is never lost. */
function atMostEvery(milliseconds: number, act: () => void): (() => void) & { cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isDue = false
  const call = () => {
    if (timer !== null) {
      isDue = true
      return
    }
    act()
    timer = setTimeout(() => {
      timer = null
      if (!isDue) return
      isDue = false
      call()
    }, milliseconds)
  }
  return Object.assign(call, {
    cancel: () => {
      if (timer !== null) clearTimeout(timer)
    },
  })
}
