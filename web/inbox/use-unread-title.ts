import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inboxSummaryQuery, useUnread } from '../api/inbox.ts'
import { readAgain } from '../api/read-again.ts'
import { usePageTitle } from '../shell/page-title.ts'

const COUNT_MS = 60_000

/**
 * How much is unread stands in the title, which is seen also while the tab is not looked at. Such a tab is told no news,
 * so then it asks.
 */
export function useUnreadTitle(): void {
  const client = useQueryClient()
  const unread = useUnread()?.inbox ?? 0
  usePageTitle(unread > 0 ? `Inbox (${unread})` : 'Inbox')
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') readAgain(client, inboxSummaryQuery)
    }, COUNT_MS)
    return () => clearInterval(timer)
  }, [client])
}
