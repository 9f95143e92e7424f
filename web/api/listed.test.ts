import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { listed } from './listed.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve))

it('a list that is being read again goes on with that, although more of it is asked for', async () => {
  const calls: { page: number; signal: AbortSignal; answer: (text: string) => void }[] = []
  const observer = new InfiniteQueryObserver(new QueryClient(), {
    queryKey: ['list'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      new Promise<string>((answer) => void calls.push({ page: pageParam, signal, answer })),
    getNextPageParam: (_, pages) => pages.length + 1,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = observer.subscribe(() => {})
  const more = () => listed(observer.getCurrentResult()).end.onMore()
  const shown = () => observer.getCurrentResult().data?.pages
  calls[0]?.answer('old')
  await turn()
  void observer.refetch()
  await turn()
  more()
  expect(calls[1]?.signal.aborted).toBe(false)
  calls[1]?.answer('new')
  await turn()
  expect(shown()).toEqual(['new'])
  more()
  calls[2]?.answer('more')
  await turn()
  expect(shown()).toEqual(['new', 'more'])
  expect(calls.map(({ page }) => page)).toEqual([1, 1, 2])
  leave()
})
