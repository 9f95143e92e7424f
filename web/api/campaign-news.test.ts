import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { CampaignDetail, CampaignProgress } from '../../contract/campaigns.ts'
import { noteCampaign } from './campaign-news.ts'
import { campaignKey, type HistoryPageOfEntries, historyQuery } from './campaigns.ts'

const standing = (state: 'sending' | 'done') => ({ id: 'a', state }) as CampaignProgress
const listOf = (...entries: object[]) => ({ entries, nextCursor: null }) as HistoryPageOfEntries

/** A screen with the list, and a server that answers when it is told to. */
function aList(client: QueryClient) {
  const calls: ((page: HistoryPageOfEntries) => void)[] = []
  const observer = new InfiniteQueryObserver(client, {
    ...historyQuery({}),
    queryFn: () => new Promise<HistoryPageOfEntries>((resolve) => void calls.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = observer.subscribe(() => {})
  const shown = () => observer.getCurrentResult().data?.pages[0]?.entries
  return { calls, leave, shown, read: () => void observer.refetch() }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

it('news that comes while a list is read outlives what was read before it', async () => {
  const client = new QueryClient()
  const { calls, shown, leave, read } = aList(client)
  let looked = 0
  const look = () => {
    looked += 1
  }
  calls[0]?.(listOf(standing('sending')))
  await turn()
  read()
  await turn()
  void noteCampaign(client, standing('done'), look)
  calls[1]?.(listOf(standing('sending')))
  await turn()
  expect(shown()).toMatchObject([{ state: 'done' }])
  expect(looked).toBe(0)
  leave()
  client.clear()
})

it('a campaign that the list brings which is just being read is looked for no further', async () => {
  const client = new QueryClient()
  const { calls, shown, leave } = aList(client)
  let looked = 0
  const look = () => {
    looked += 1
  }
  for (const state of ['sending', 'done'] as const) void noteCampaign(client, standing(state), look)
  calls[0]?.(listOf(standing('sending')))
  await turn()
  expect(shown()).toMatchObject([{ state: 'done' }])
  expect(looked).toBe(0)
  void noteCampaign(client, { ...standing('sending'), id: 'b' }, look)
  expect(looked).toBe(1)
  leave()
  client.clear()
})

it('news that comes while something is done with a campaign outlives the answer to it', async () => {
  const client = new QueryClient()
  const answers: ((campaign: CampaignDetail) => void)[] = []
  client.setQueryData<CampaignDetail>(campaignKey('a'), standing('sending') as CampaignDetail)
  const action = new MutationObserver(client, {
    mutationKey: campaignKey('a'),
    mutationFn: () => new Promise<CampaignDetail>((resolve) => void answers.push(resolve)),
    onSuccess: (campaign) => client.setQueryData(campaignKey('a'), campaign),
  })
  const acting = action.mutate()
  await turn()
  const noted = noteCampaign(client, standing('done'), () => {})
  answers[0]?.(standing('sending') as CampaignDetail)
  await Promise.all([acting, noted])
  expect(client.getQueryData(campaignKey('a'))).toMatchObject({ state: 'done' })
  client.clear()
})

it('a list that nobody looks at is read when somebody does, if a campaign has moved that it does not show', async () => {
  const client = new QueryClient()
  const { queryKey } = historyQuery({})
  client.setQueryData(queryKey, { pages: [listOf(standing('done'))], pageParams: [''] })
  const isToBeRead = () => client.getQueryState(queryKey)?.isInvalidated
  await noteCampaign(client, standing('sending'), () => {})
  expect(isToBeRead()).toBe(false)
  await noteCampaign(client, { ...standing('sending'), id: 'b' }, () => {})
  expect(isToBeRead()).toBe(true)
  // What it does show makes it no fresher.
  await noteCampaign(client, standing('done'), () => {})
  expect(isToBeRead()).toBe(true)
  client.clear()
})
