import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { amend } from './amend.ts'

const queryKey = ['number']
const turn = () => new Promise((resolve) => setTimeout(resolve))

it('changes what is known, and nothing where nothing is', () => {
  const client = new QueryClient()
  amend<number>(client, { queryKey }, (known) => known + 1)
  expect(client.getQueryData(queryKey)).toBeUndefined()
  client.setQueryData(queryKey, 1)
  amend<number>(client, { queryKey }, (known) => known + 1)
  amend<number>(client, { queryKey }, () => undefined)
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 2, isInvalidated: false })
})

it('leaves the mark of what is to be read again', () => {
  const client = new QueryClient()
  client.setQueryData(queryKey, 1)
  void client.invalidateQueries({ queryKey })
  amend<number>(client, { queryKey }, (known) => known + 1)
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 2, isInvalidated: true })
})

it('leaves it also when the reading is given up because nobody waits for it any more', async () => {
  const client = new QueryClient()
  client.setQueryData(queryKey, 1)
  void client.invalidateQueries({ queryKey })
  const observer = new QueryObserver(client, {
    queryKey,
    // One that can be cut short.
    queryFn: ({ signal }) => new Promise<number>((_, reject) => signal.addEventListener('abort', reject)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = observer.subscribe(() => {})
  expect(client.isFetching({ queryKey })).toBe(1)
  amend<number>(client, { queryKey }, (known) => known + 1)
  leave()
  await turn()
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 2, isInvalidated: true, fetchStatus: 'idle' })
  client.clear()
})
