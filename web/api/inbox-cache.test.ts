import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { type InboxFilter, inboxListQuery, messageQuery, messagesKey } from './inbox.ts'
import { placeMessage } from './inbox-cache.ts'
import { noteGone } from './inbox-live.ts'

const anItem = (messageId: string, more: Partial<InboxItem> = {}): InboxItem => ({
  ...{ messageId, inboxId: 'i-1', subject: 'Re: The letter', preview: '', to: [] },
  from: { name: 'Ann', email: 'ann@example.test' },
  timestamp: '2026-11-12T10:00:00.000Z',
  ...{ isUnread: true, folder: 'inbox', isAutomatic: false, attachmentCount: 0, campaign: null },
  ...more,
})

function aList(client: QueryClient, filter: InboxFilter, items: InboxItem[]): () => InboxItem[] {
  const { queryKey } = inboxListQuery(filter)
  client.setQueryData(queryKey, { pages: [{ items, nextCursor: null }], pageParams: [''] })
  return () => client.getQueryData(queryKey)?.pages.flatMap((page) => page.items) ?? []
}

describe('a message that is changed', () => {
  it('stays among the answers to a campaign that the server counts it to, whatever began the conversation', () => {
    const client = new QueryClient()
    const answer = anItem('m-1', { campaign: { id: 'first', subject: 'The letter' } })
    const answers = aList(client, { folder: 'inbox', campaign: 'second' }, [answer])
    placeMessage(client, { ...answer, isUnread: false })
    expect(answers()).toMatchObject([{ messageId: 'm-1', isUnread: false }])
    placeMessage(client, { ...answer, folder: 'archived' })
    expect(answers()).toMatchObject([{ messageId: 'm-1', folder: 'archived' }])
    placeMessage(client, anItem('m-2', { campaign: answer.campaign }))
    expect(answers()).toHaveLength(1)
  })

  it('is still sent to all whom it names where it is open, although a list holds only the first of them', () => {
    const client = new QueryClient()
    const to = Array.from({ length: 30 }, (_, number) => ({ email: `p${number}@example.test` }))
    const { queryKey } = messageQuery({ inboxId: 'i-1', messageId: 'm-1' })
    client.setQueryData<InboxItem>(queryKey, anItem('m-1', { to }))
    placeMessage(client, anItem('m-1', { to: to.slice(0, 20), isUnread: false }))
    expect(client.getQueryData<InboxItem>(queryKey)).toMatchObject({ to, isUnread: false })
  })

  it('leaves the list of a folder for that of another', () => {
    const client = new QueryClient()
    const inbox = aList(client, { folder: 'inbox' }, [anItem('m-1')])
    const archived = aList(client, { folder: 'archived' }, [])
    expect(placeMessage(client, anItem('m-1', { folder: 'archived' }))).toBe(false)
    expect(inbox()).toEqual([])
    expect(archived()).toMatchObject([{ messageId: 'm-1' }])
  })
})

it('a message that was deleted elsewhere leaves every list, and where it is open it is asked for again', async () => {
  const client = new QueryClient()
  const inbox = aList(client, { folder: 'inbox' }, [anItem('m-1'), anItem('m-2')])
  const found = aList(client, { folder: 'inbox', q: 'letter' }, [anItem('m-1')])
  const queryKey = [...messagesKey, 'm-1']
  client.setQueryData(queryKey, anItem('m-1'))
  let asked = 0
  const queryFn = async () => {
    asked += 1
    return anItem('m-1')
  }
  const leave = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {})
  noteGone(client, { messageId: 'm-1', isGone: true })
  expect([inbox(), found()]).toMatchObject([[{ messageId: 'm-2' }], []])
  expect(asked).toBe(1)
  expect(client.getQueryData(queryKey)).toBeDefined()
  leave()
  noteGone(client, { messageId: 'm-1', isGone: true })
  expect(client.getQueryData(queryKey)).toBeUndefined()
})
