import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CampaignProgress } from '../../contract/campaigns.ts'
import type { MessageNews } from '../../contract/inbox.ts'
import type { TelegramNews } from '../../contract/telegram.ts'
import { atMostEvery } from './at-most-every.ts'
import { noteCampaign } from './campaign-news.ts'
import { campaignKey, campaignsKey, historyKey } from './campaigns.ts'
import { noteCut, noteEnd, noteOpen } from './connection.ts'
import { inboxSummaryQuery } from './inbox.ts'
import { followSentMail, noteGone, noteMessage, readAfterSilence, readAround } from './inbox-live.ts'
import { isStanding } from './page-session.ts'
import { readAgain } from './read-again.ts'
import { askWhoIsThere } from './session-watch.ts'
import { activityKey, statsKey } from './stats.ts'
import { keepOpen } from './stream.ts'
import { noteTelegram, telegramLinksQuery } from './telegram.ts'

/** Numbers that many campaigns move at once are asked for at most this often. */
const COUNTING_MS = 1_000
/** A list is long: what stirs in campaigns that it does not show is no reason to read all of it three times a second. */
const LISTING_MS = 10_000

/** Keeps what screens show of campaigns, statistics, the inbox and Telegram up to date while somebody looks at a page. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => {
    const countAgain = atMostEvery(COUNTING_MS, () => {
      readAgain(client, { queryKey: statsKey })
      readAgain(client, { queryKey: activityKey })
    })
    const listAgain = atMostEvery(LISTING_MS, () => readAgain(client, { queryKey: historyKey }))
    const readInboxNumbers = atMostEvery(COUNTING_MS, () => readAround(client))
    const countReplies = atMostEvery(COUNTING_MS, () => readAgain(client, { queryKey: campaignsKey }))
    const countInbox = atMostEvery(COUNTING_MS, () => readAgain(client, inboxSummaryQuery))
    const sentMail = followSentMail(client, COUNTING_MS)
    // A page that was opened in the background may first listen long after it was read.
    let isFirst = document.visibilityState === 'visible'
    const attach = (source: EventSource) => {
      // By a line of later on, somebody else may listen; or nobody may any more.
      let asked = Promise.resolve()
      const askAgain = () => {
        if (!isFirst) asked = askWhoIsThere(client)
        isFirst = false
      }
      /** News of another account is none for a page that has only stayed for what was typed in it. */
      const listen = (kind: string, heard: (data: string) => void) =>
        source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
          void asked.then(() => {
            if (!isStanding('somebody else')) heard(data)
          })
        })
      source.addEventListener('error', () => {
        noteCut()
        if (source.readyState === EventSource.CLOSED) askAgain()
      })
      source.addEventListener('open', () => {
        noteOpen()
        askAgain()
        // Also the first time: what came between the reading of a screen and this moment nobody has told us.
        countAgain()
        readAgain(client, { queryKey: historyKey })
        readAgain(client, { queryKey: campaignsKey })
        readAfterSilence(client)
        readAgain(client, telegramLinksQuery)
      })
      listen('campaign', (data) => {
        const progress = CampaignProgress.safeParse(JSON.parse(data))
        if (!progress.success) return
        void noteCampaign(client, progress.data, listAgain)
        sentMail.note(progress.data.id)
        countAgain()
      })
      listen('message', (data) => {
        // As the server describes it by the contract; there a date is a date, here its text.
        const news = JSON.parse(data) as MessageNews
        if ('isGone' in news) {
          noteGone(client, news)
          readInboxNumbers()
          countReplies()
          return
        }
        noteMessage(client, news)
        // What was only read stands in its conversation as before.
        if (news.isUnread) readInboxNumbers()
        else countInbox()
        if (news.campaign) readAgain(client, { queryKey: campaignKey(news.campaign.id) })
      })
      listen('telegram', (data) => {
        // As above.
        void noteTelegram(client, JSON.parse(data) as TelegramNews)
      })
    }
    const close = keepOpen('/api/events', attach, noteEnd)
    return () => {
      close()
      countAgain.cancel()
      listAgain.cancel()
      readInboxNumbers.cancel()
      countReplies.cancel()
      countInbox.cancel()
      sentMail.cancel()
    }
  }, [client])
}
