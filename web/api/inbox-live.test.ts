import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { inboxListQuery } from './inbox.ts'
import { noteAnswer, noteGone, noteMessage } from './inbox-live.ts'

const message = (isUnread: boolean) =>
  ({ messageId: 'm', folder: 'inbox', isUnread, timestamp: '2020-01-01T00:00:00Z' }) as InboxItem

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
