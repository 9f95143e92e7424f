import { useSyncExternalStore } from 'react'

/** The line by which news comes is cut: whatever else is asked for may find nobody either. */
let isCut = false
const listeners = new Set<() => void>()

/** Many a line is open again at once, and nobody has missed anything. */
const WORTH_A_WORD_MS = 5_000
let isOutOfDate = false
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

export function noteCut(): void {
  isCut = true
  timer ??= setTimeout(() => setOutOfDate(true), WORTH_A_WORD_MS)
}

export function noteOpen(): void {
  isCut = false
  noteEnd()
  for (const heard of listeners) heard()
}

/** Nobody listens any more, as in a tab that is not looked at: how the line is will be seen when somebody does. */
export function noteEnd(): void {
  clearTimeout(timer)
  timer = undefined
  setOutOfDate(false)
}

function setOutOfDate(next: boolean): void {
  if (next === isOutOfDate) return
  isOutOfDate = next
  for (const look of watchers) look()
}

/** Whether so much may have been missed by now that what is shown is not to be relied on. */
export const mayBeOutOfDate = (): boolean => isOutOfDate

function watch(look: () => void): () => void {
  watchers.add(look)
  return () => watchers.delete(look)
}
export const useMayBeOutOfDate = (): boolean => useSyncExternalStore(watch, mayBeOutOfDate)

export const mayBeAway = (): boolean => isCut || !navigator.onLine

/** Tells when the server, or the network, is there again; answers how to stop. */
export function onReturn(heard: () => void): () => void {
  listeners.add(heard)
  window.addEventListener('online', heard)
  return () => {
    listeners.delete(heard)
    window.removeEventListener('online', heard)
  }
}
