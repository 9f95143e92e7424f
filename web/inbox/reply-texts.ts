import { useSyncExternalStore } from 'react'
import { randomId } from '../ui/random-id.ts'

/*
 * What is being written in answer to each message. It is kept beside the screen: looking at another message, or a send
 * that fails, loses nothing.
 */

interface ReplyText {
  text: string
  isSending: boolean
}

const NOTHING: ReplyText = { text: '', isSending: false }

const texts = new Map<string, ReplyText>()
/** Under which key which words were last sent. */
const attempts = new Map<string, { text: string; key: string }>()
const listeners = new Set<() => void>()

function publish(messageId: string, next: ReplyText): void {
  if (next.text === '' && !next.isSending) texts.delete(messageId)
  else texts.set(messageId, next)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const replyTo = (messageId: string): ReplyText => texts.get(messageId) ?? NOTHING

export function useReplyText(messageId: string): ReplyText {
  return useSyncExternalStore(subscribe, () => replyTo(messageId))
}

export const writeReply = (messageId: string, text: string): void =>
  publish(messageId, { ...replyTo(messageId), text })

export const setSending = (messageId: string, isSending: boolean): void =>
  publish(messageId, { ...replyTo(messageId), isSending })

export function forgetReply(messageId: string): void {
  attempts.delete(messageId)
  publish(messageId, NOTHING)
}

/**
 * The same words are the same reply, however often they are sent until one of them is known to have arrived. Other words
 * are another reply.
 */
export function keyOfReply(messageId: string, text: string): string {
  const last = attempts.get(messageId)
  if (last?.text === text) return last.key
  const key = randomId()
  attempts.set(messageId, { text, key })
  return key
}

export const isBlank = (text: string): boolean => text.trim() === ''

/** How many replies would be lost with the screen; one that is on its way goes on without it. */
export const unsentReplies = (): number =>
  [...texts.values()].filter(({ text, isSending }) => !isBlank(text) && !isSending).length

/** Whether any would be lost with the page. */
export const hasReplies = (): boolean => [...texts.values()].some(({ text }) => !isBlank(text))

export function forgetReplies(): void {
  for (const messageId of [...texts.keys()]) if (!replyTo(messageId).isSending) forgetReply(messageId)
}
