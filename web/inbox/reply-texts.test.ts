import { expect, it } from 'vitest'
import { ApiError } from '../api/client.ts'
import {
  discardReply,
  loseReply,
  noteFailure,
  replyTo,
  setSending,
  settleReply,
  whenAnswered,
  writeReply,
} from './reply-texts.ts'

it('nobody who waits for a reply is asked about it when it fails and its message is gone', async () => {
  writeReply('message', 'Yes.')
  setSending('message', true)
  loseReply('message')
  const isSafe = whenAnswered()
  noteFailure('message', new ApiError(404, 'There is no such message', new Headers()))
  expect(await isSafe).toBe(true)
})

it('a discarded reply that is brought back takes nothing away of what was written since', () => {
  writeReply('other', 'Dear Ann,')
  const bringBack = discardReply('other')
  writeReply('other', 'Yes.')
  bringBack()
  expect(replyTo('other').text).toBe('Dear Ann,\n\nYes.')
  discardReply('other')()
  expect(replyTo('other').text).toBe('Dear Ann,\n\nYes.')
  discardReply('other')
})

it('and is not lost with another one that is on its way', () => {
  writeReply('third', 'Dear Ann,')
  const bringBack = discardReply('third')
  writeReply('third', 'Yes.')
  setSending('third', true)
  bringBack()
  expect(replyTo('third').text).toBe('Yes.')
  settleReply('third')
  expect(replyTo('third').text).toBe('Dear Ann,')
  discardReply('third')
})
