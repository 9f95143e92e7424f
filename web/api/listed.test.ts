import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { keepFound, listed } from './listed.ts'

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

type Page = { rows: string[] }

const found = (...rows: string[]): InfiniteData<Page, string> => ({ pages: [{ rows }], pageParams: [''] })
const asked = (question: object) => ({ queryKey: ['/api/list', question] })
const rowsOf = ({ rows }: Page) => rows

describe('what a list has found', () => {
  it('stays in sight until the next question is answered', () => {
    const known = found('Ann')
    expect(keepFound({ q: 'b' }, rowsOf)(known, asked({}))).toBe(known)
    expect(keepFound({}, rowsOf)(known, asked({ q: 'b' }))).toBe(known)
  })

  it('stays as well when it is nothing, while somebody types on', () => {
    const nothing = found()
    expect(keepFound({ q: 'ann' }, rowsOf)(nothing, asked({ q: 'an' }))).toBe(nothing)
  })

  it('goes when it is nothing and another question is asked', () => {
    expect(keepFound({}, rowsOf)(found(), asked({ q: 'ann' }))).toBeUndefined()
    expect(keepFound({ q: 'ann' }, rowsOf)(found(), asked({}))).toBeUndefined()
    const ofAnotherState = { q: 'ann', state: 'failed' }
    expect(keepFound({ q: 'ann' }, rowsOf)(found(), asked(ofAnotherState))).toBeUndefined()
  })
})
