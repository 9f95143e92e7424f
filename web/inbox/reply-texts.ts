import { useSyncExternalStore } from 'react'
import { doubtAfter, isSentBefore, type SendDoubt } from '../api/send-doubt.ts'
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
/** Under which key an answer to a message is sent, and what is not known of it. It outlives words that are given up. */
const attempts = new Map<string, { key: string; doubt: SendDoubt | null }>()
/** Of messages that are deleted unless somebody takes that back. */
const aside = new Map<string, string>()
/** Whose messages were deleted while they were being sent. */
const lostOnTheirWay = new Set<string>()
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

/** It is known to have arrived: what is written next is another reply. */
export function settleReply(messageId: string): void {
  attempts.delete(messageId)
  lostOnTheirWay.delete(messageId)
  publish(messageId, NOTHING)
}

/** Answers how to have it back, with what is known of it; what has been written since stands below it then. */
export function discardReply(messageId: string): () => void {
  const [{ text }, attempt] = [replyTo(messageId), attempts.get(messageId)]
  if (!isUnanswered(messageId)) attempts.delete(messageId)
  publish(messageId, NOTHING)
  const bringBack = () => {
    if (attempt && !attempts.has(messageId)) attempts.set(messageId, attempt)
    const { text: since } = replyTo(messageId)
    writeReply(messageId, isBlank(since) ? text : `${text}\n\n${since}`)
  }
  return () => onceAnswered(messageId, bringBack)
}

/** What is on its way goes out as it is, and takes all that stands there with it. */
function onceAnswered(messageId: string, act: () => void): void {
  const look = () => {
    if (replyTo(messageId).isSending) return
    listeners.delete(look)
    act()
  }
  listeners.add(look)
  look()
}

/** Its message is about to be deleted: nobody is asked about it any more, but it is given up only when that is certain. */
export function setReplyAside(messageId: string): void {
  const { text, isSending } = replyTo(messageId)
  if (isSending || text === '') return
  aside.set(messageId, text)
  publish(messageId, NOTHING)
}

/** Unless the message was deleted elsewhere meanwhile. */
export function bringReplyBack(messageId: string): void {
  const text = aside.get(messageId)
  if (text !== undefined) writeReply(messageId, text)
  aside.delete(messageId)
}

/** Its message is gone: nobody could find it any more, nor send it. What is on its way goes once that has failed. */
export function loseReply(messageId: string): void {
  aside.delete(messageId)
  if (replyTo(messageId).isSending) lostOnTheirWay.add(messageId)
  else discardReply(messageId)
}

/**
 * Until one is known to have arrived, all that is sent is the same reply: the server sends it once, and refuses what was
 * changed after a try that did go out.
 */
export function keyOfReply(messageId: string): string {
  const { key, doubt } = attempts.get(messageId) ?? { key: randomId(), doubt: null }
  attempts.set(messageId, { key, doubt })
  return key
}

export const doubtOf = (messageId: string): SendDoubt | null => attempts.get(messageId)?.doubt ?? null

const isUnanswered = (messageId: string): boolean => doubtOf(messageId) === 'unanswered'

/** What a failed try leaves to be told. */
export function noteFailure(messageId: string, error: unknown): SendDoubt | null {
  const doubt = doubtAfter(error, doubtOf(messageId))
  // The key belongs to what was sent under it.
  const key = isSentBefore(error) ? randomId() : keyOfReply(messageId)
  attempts.set(messageId, { key, doubt })
  // In one step: whoever waits for the answer asks about nothing that is given up.
  if (lostOnTheirWay.delete(messageId)) discardReply(messageId)
  else setSending(messageId, false)
  return doubt
}

export function useReplyDoubt(messageId: string): SendDoubt | null {
  return useSyncExternalStore(subscribe, () => doubtOf(messageId))
}

export const isBlank = (text: string): boolean => text.trim() === ''

/** What would be lost with the screen; one that is on its way goes on without it. */
const unsentIds = (): string[] =>
  [...texts].filter(([, { text, isSending }]) => !isBlank(text) && !isSending).map(([messageId]) => messageId)

export const unsentReplies = (): number => unsentIds().length

export const repliesOnTheirWay = (): number => [...texts.values()].filter(({ isSending }) => isSending).length

/** Whether any would be lost with the page. */
export const hasReplies = (): boolean => [...texts.values()].some(({ text }) => !isBlank(text))

export function forgetReplies(): void {
  for (const messageId of [...texts.keys()]) if (!replyTo(messageId).isSending) discardReply(messageId)
}

/** Whether one of those that are not on their way may have been sent. */
export const hasUnansweredReply = (): boolean => unsentIds().some(isUnanswered)

/** What is asked of all of them. */
export function useReplies<T extends number | boolean>(ask: () => T): T {
  return useSyncExternalStore(subscribe, ask)
}

/** Whether none would be lost with the page any more; at once where one is not even on its way. */
export function whenAnswered(): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (unsentReplies() === 0 && repliesOnTheirWay() > 0) return
      listeners.delete(look)
      resolve(!hasReplies())
    }
    listeners.add(look)
    look()
  })
}
