import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { InboxItem, InboxMessage } from '../../contract/inbox.ts'
import { inboxListQuery, messageQuery } from './inbox.ts'
import { followSentMail, noteAnswer, noteGone, noteMessage } from './inbox-live.ts'

const message = (isUnread: boolean) =>
  ({ messageId: 'm', folder: 'inbox', isUnread, timestamp: '2020-01-01T00:00:00Z' }) as InboxItem

afterEach(() => void vi.useRealTimers())

/** A list with one message, and a server that answers when it is told to. */
function anInbox() {
  const client = new QueryClient()
  const { queryKey } = inboxListQuery({ folder: 'inbox' })
  client.setQueryData(queryKey, { pages: [{ items: [message(true)], nextCursor: null }], pageParams: [''] })
  const shown = () => client.getQueryData(queryKey)?.pages[0]?.items.map(({ isUnread }) => isUnread)
  const ask = () => {
    const { promise, resolve } = Promise.withResolvers<InboxItem>()
    return { answer: resolve, noted: noteAnswer(client, 'm', () => promise) }
  }
  return { client, shown, ask }
}

it('notes what a change has made of a message', async () => {
  const { shown, ask } = anInbox()
  const { answer, noted } = ask()
  answer(message(false))
  await noted
  expect(shown()).toEqual([false])
})

it('an answer that comes after that to a later change is not noted any more', async () => {
  const { shown, ask } = anInbox()
  const [first, second] = [ask(), ask()]
  second.answer(message(true))
  await second.noted
  first.answer(message(false))
  await first.noted
  expect(shown()).toEqual([true])
})

it('nor is one that comes after news of the message', async () => {
  const { client, shown, ask } = anInbox()
  const changed = ask()
  noteMessage(client, message(true))
  changed.answer(message(false))
  await changed.noted
  expect(shown()).toEqual([true])
  const late = ask()
  noteGone(client, { messageId: 'm', isGone: true })
  late.answer(message(true))
  await late.noted
  expect(shown()).toEqual([])
})

it('a conversation is read once a second at most, whichever of its mails have moved meanwhile', async () => {
  vi.useFakeTimers()
  const client = new QueryClient()
  const conversation = ['c-1', 'c-2'].map((campaignId) => ({ kind: 'sent', campaignId }))
  const queryFn = vi.fn(async () => ({ ...message(false), conversation }) as InboxMessage)
  const place = { inboxId: 'i', messageId: 'm' }
  const leave = new QueryObserver(client, { ...messageQuery(place), queryFn }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  const { note, cancel } = followSentMail(client, 1_000)
  for (const campaignId of ['another', 'c-2', 'another', 'c-1']) {
    note(campaignId)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(queryFn).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(600)
  expect(queryFn).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(queryFn).toHaveBeenCalledTimes(2)
  cancel()
  leave()
  client.clear()
})
