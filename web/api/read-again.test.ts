import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { readAgain } from './read-again.ts'

/** A screen that shows what is at a key, and a server that answers when it is told to. */
function aScreen(client: QueryClient) {
  const calls: ((answer: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['thing'],
    queryFn: () => new Promise<string>((resolve) => void calls.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = observer.subscribe(() => {})
  return { calls, leave, shown: () => observer.getCurrentResult().data }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

it('what changes while it is read for the first time is read once more, however often that is told', async () => {
  const client = new QueryClient()
  const { calls, shown, leave } = aScreen(client)
  for (let told = 0; told < 3; told++) readAgain(client, { queryKey: ['thing'] })
  calls[0]?.('old')
  await turn()
  expect(shown()).toBe('old')
  expect(calls).toHaveLength(2)
  calls[1]?.('new')
  await turn()
  expect(shown()).toBe('new')
  leave()
  client.clear()
})

it('what is there already is read at once, and an older reading does not win', async () => {
  const client = new QueryClient()
  const { calls, shown, leave } = aScreen(client)
  calls[0]?.('first')
  await turn()
  readAgain(client, { queryKey: ['thing'] })
  readAgain(client, { queryKey: ['thing'] })
  calls[2]?.('newest')
  calls[1]?.('older')
  await turn()
  expect(shown()).toBe('newest')
  expect(calls).toHaveLength(3)
  leave()
  client.clear()
})
