import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { campaignQuery, type HistoryPageOfEntries, historyKey } from '../api/campaigns.ts'

/** A campaign; who comes from the list sees at once what the list knew of it. */
export function useCampaign(id: string) {
  const client = useQueryClient()
  return useQuery({
    ...campaignQuery(id),
    placeholderData: (): CampaignDetail | undefined => {
      const lists = client.getQueriesData<InfiniteData<HistoryPageOfEntries>>({ queryKey: historyKey })
      const entry = lists
        .flatMap(([, list]) => list?.pages ?? [])
        .flatMap((page) => page.entries)
        .find((candidate) => candidate.id === id)
      return entry && { ...entry, fromAddress: '', replies: { all: 0, automatic: 0 } }
    },
  })
}
