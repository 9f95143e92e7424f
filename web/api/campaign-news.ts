import type { InfiniteData, Mutation, QueryClient } from '@tanstack/react-query'
import type { CampaignDetail, CampaignProgress, HistoryEntry } from '../../contract/campaigns.ts'
import { amend } from './amend.ts'
import { campaignKey, type HistoryPageOfEntries, historyKey } from './campaigns.ts'
import { readAgain } from './read-again.ts'

type History = InfiniteData<HistoryPageOfEntries>

/** Puts news of a campaign wherever that is shown; `listAgain` looks for one that a list does not show. */
export async function noteCampaign(
  client: QueryClient,
  progress: CampaignProgress,
  listAgain: () => void,
): Promise<void> {
  let isMissed = note(client, progress)
  const readings = [historyKey, campaignKey(progress.id)].flatMap((queryKey) =>
    client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }),
  )
  const actions = client
    .getMutationCache()
    .findAll({ mutationKey: campaignKey(progress.id), status: 'pending' })
  if (readings.length > 0 || actions.length > 0) {
    // What is just being read or answered may be older than this news, and would take its place.
    await Promise.allSettled([...readings.map(({ promise }) => promise), allSettled(client, actions)])
    isMissed = note(client, progress)
  }
  // Sent from elsewhere: another tab, Telegram.
  if (isMissed) listAgain()
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

/** Answers whether a list on the screen does not show this campaign. */
function note(client: QueryClient, progress: CampaignProgress): boolean {
  const { id } = progress
  const queryKey = campaignKey(id)
  if (client.getQueryData<CampaignDetail>(queryKey) === undefined)
    readAgain(client, { queryKey, exact: true })
  amend<CampaignDetail>(client, { queryKey, exact: true }, (known) => ({ ...known, ...progress }))
  noteInLists(client, id, (entry) => ({ ...entry, ...progress }))
  const lists = client.getQueryCache().findAll({ queryKey: historyKey })
  const without = lists.filter(({ state: { data } }) => data && !shows(data as History, id))
  // Those that nobody looks at are read when somebody does.
  for (const query of without) if (!query.isActive()) query.invalidate()
  return without.some((query) => query.isActive())
}

const shows = ({ pages }: History, id: string): boolean =>
  pages.some(({ entries }) => entries.some((entry) => entry.id === id))

/** Changes a campaign in the lists that show it. */
export function noteInLists(
  client: QueryClient,
  id: string,
  change: (entry: HistoryEntry) => HistoryEntry,
): void {
  amend<History>(client, { queryKey: historyKey }, (known) =>
    shows(known, id)
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            entries: page.entries.map((entry) => (entry.id === id ? change(entry) : entry)),
          })),
        }
      : undefined,
  )
}
