import { expect, it } from 'vitest'
import { ApiError } from '../api/client.ts'
import { loseReply, noteFailure, setSending, whenAnswered, writeReply } from './reply-texts.ts'

it('nobody who waits for a reply is asked about it when it fails and its message is gone', async () => {
  writeReply('message', 'Yes.')
  setSending('message', true)
  loseReply('message')
  const isSafe = whenAnswered()
  noteFailure('message', new ApiError(404, 'There is no such message', new Headers()))
  expect(await isSafe).toBe(true)
})
