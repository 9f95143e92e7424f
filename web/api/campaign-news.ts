import type { InfiniteData, Mutation, QueryClient } from '@tanstack/react-query'
import type { CampaignDetail, CampaignProgress } from '../../contract/campaigns.ts'
import { campaignKey, type HistoryPageOfEntries, historyKey } from './campaigns.ts'
import { readAgain } from './read-again.ts'

/** Puts news of a campaign wherever that is shown; `listAgain` looks for one that no list shows. */
export async function noteCampaign(
  client: QueryClient,
  progress: CampaignProgress,
  listAgain: () => void,
): Promise<void> {
  let isListed = note(client, progress)
  const readings = [historyKey, campaignKey(progress.id)].flatMap((queryKey) =>
    client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }),
  )
  const actions = client
    .getMutationCache()
    .findAll({ mutationKey: campaignKey(progress.id), status: 'pending' })
  if (readings.length > 0 || actions.length > 0) {
    // What is just being read or answered may be older than this news, and would take its place.
    await Promise.allSettled([...readings.map(({ promise }) => promise), allSettled(client, actions)])
    isListed = note(client, progress)
  }
  // Sent from elsewhere: another tab, Telegram.
  if (!isListed) listAgain()
}

const allSettled = (client: QueryClient, actions: readonly Mutation[]): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = client.getMutationCache().subscribe(look)
    look()
    function look(): void {
      if (actions.some(({ state }) => state.status === 'pending')) return
      unsubscribe()
      resolve()
    }
  })

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
  return isListed
}
