import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { InboxMessage } from '../../contract/inbox.ts'
import type { MessageActions } from './use-message-actions.ts'

type Reading = Pick<UseQueryResult<InboxMessage>, 'data' | 'isFetching' | 'isFetchedAfterMount'>

/**
 * Marks a message as read once it can be read, and only then: whoever marks it as unread after that, also in another
 * tab, means it. What is shown of it first may be from before another tab did so: then the reading under way decides.
 */
export function useMarkedRead(
  { data, isFetching, isFetchedAfterMount }: Reading,
  { markRead }: Pick<MessageActions, 'markRead'>,
): void {
  const isSeen = useRef(false)
  const isCurrent = !isFetching || isFetchedAfterMount
  useEffect(() => {
    if (!data || !isCurrent || isSeen.current) return
    isSeen.current = true
    if (data.isUnread) markRead(data)
  }, [data, isCurrent, markRead])
}
