import {
  hashKey,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type CampaignDetail, CampaignProgress } from '../../contract/campaigns.ts'
import { deliveriesKey, deliveriesQuery } from '../api/campaigns.ts'
import { keepFound, listed } from '../api/listed.ts'
import { deliveriesRequest, type ShownDeliveries } from './deliveries-filter.ts'

/** So often the list follows a campaign that moves. */
const FOLLOW_MS = 2_000
/** After a reading that failed. */
const AFTER_FAILURE_MS = 5_000
/** All that is loaded is read again each time; a long list therefore waits to be asked. */
const FOLLOWED_PAGES = 3

export function useDeliveries(campaign: CampaignDetail, shown: ShownDeliveries) {
  const client = useQueryClient()
  useStaleWith(campaign)
  const request = deliveriesRequest(shown)
  const options = deliveriesQuery(campaign.id, request)
  const isFollowed = (client.getQueryData(options.queryKey)?.pages.length ?? 0) <= FOLLOWED_PAGES
  const query = useInfiniteQuery({
    ...options,
    placeholderData: keepFound(request, ({ items }) => items),
    // Forgotten when another state is chosen: to read a thousand pages again would help nobody.
    gcTime: 0,
    // Nor is a long list read again because of news; more of it can still be loaded.
    enabled: isFollowed,
  })
  const { data, refetch, isFetching, isPlaceholderData } = query
  const hasMovedOn = useMovedOn(options.queryKey)
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? null, [data])

  // What was never read, or lacks its next page, says so and can be tried again by hand.
  const isAskedFor = query.isLoadingError || query.isFetchNextPageError
  const isOld = query.isStale || hasMovedOn
  const isDue = isFollowed && isOld && !isPlaceholderData && !isFetching && !isAskedFor
  const waitMs = query.isError ? AFTER_FAILURE_MS : FOLLOW_MS
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => void refetch(), waitMs)
    return () => clearTimeout(timer)
  }, [isDue, waitMs, refetch])

  return {
    items,
    ...listed(query),
    /** The campaign has moved since, and the list does not follow by itself. */
    needsRefresh: !isFollowed && hasMovedOn,
    refresh: () => {
      client.setQueryData(options.queryKey, (known) =>
        known ? { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) } : known,
      )
      void refetch()
    },
  }
}

/** However the page has learned that its campaign has moved: from the live stream, or by reading it again. */
function useStaleWith(campaign: CampaignDetail): void {
  const client = useQueryClient()
  const { id } = campaign
  const standing = JSON.stringify(CampaignProgress.parse(campaign))
  const known = useRef(standing)
  useEffect(() => {
    if (known.current === standing) return
    known.current = standing
    markStale(client, id)
  }, [client, id, standing])
}

const AGAIN_MS = 300

/** A page that is just being read may be older than the news, and would make the list look fresh: marked again after. */
function markStale(client: QueryClient, id: string): void {
  const queryKey = deliveriesKey(id)
  void client.invalidateQueries({ queryKey, refetchType: 'none' })
  if (client.isFetching({ queryKey }) > 0) setTimeout(() => markStale(client, id), AGAIN_MS)
}

/**
 * Whether there were news since the whole list was read. A query that is switched off does not say
 * that it is stale, and one more page at its end makes it fresh in its own eyes: neither is to hide
 * from the reader that the rows above are old.
 */
function useMovedOn(queryKey: QueryKey) {
  const cache = useQueryClient().getQueryCache()
  const hash = hashKey(queryKey)
  const [movedHash, setMovedHash] = useState<string | null>(null)
  useEffect(
    () =>
      cache.subscribe((event) => {
        if (event.type !== 'updated' || event.query.queryHash !== hash) return
        if (event.action.type === 'invalidate') setMovedHash(hash)
        const isOnePage = event.query.state.fetchMeta?.fetchMore !== undefined
        if (event.action.type === 'success' && !isOnePage) setMovedHash(null)
      }),
    [cache, hash],
  )
  return movedHash === hash
}
