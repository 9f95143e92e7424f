import { useSyncExternalStore } from 'react'

/** A second message replaces the first: two at once are read by nobody. */
const LIMIT = 1
/** A dismissed toast is kept closed this long; the spec sets it far beyond any closing animation. */
const REMOVE_DELAY_MS = 1_000_000

export interface ToastMessage {
  title: string
  description?: string
  /** A further line, for the server's own words beside a fixed sentence. */
  detail?: string | undefined
  variant?: 'default' | 'destructive'
}

export interface ToastEntry extends ToastMessage {
  id: number
  open: boolean
}

let entries: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()
const removals = new Map<number, ReturnType<typeof setTimeout>>()

function publish(next: readonly ToastEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

/** Shows a message; plain text only, so nothing a server or a stranger wrote can become markup. */
export function toast(message: ToastMessage): void {
  lastId += 1
  publish([{ ...message, id: lastId, open: true }, ...entries].slice(0, LIMIT))
}

/** Closes a toast now and forgets it later. */
export function dismissToast(id: number): void {
  publish(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
  if (removals.has(id)) return
  const removal = setTimeout(() => {
    removals.delete(id)
    publish(entries.filter((entry) => entry.id !== id))
  }, REMOVE_DELAY_MS)
  removals.set(id, removal)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly ToastEntry[] {
  return entries
}

export function useToasts(): readonly ToastEntry[] {
  return useSyncExternalStore(subscribe, currentToasts)
}
