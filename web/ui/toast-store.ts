import { useSyncExternalStore } from 'react'

/** A second message replaces the first: two at once are read by nobody. */
const LIMIT = 1
/** A dismissed toast is kept closed this long: far beyond any closing animation. */
const REMOVE_DELAY_MS = 1_000_000

/** One thing to do about the message: a place to go, or something to happen. Choosing it closes the toast. */
type ToastAction = { label: string } & (
  | { href: string; onSelect?: never }
  | { onSelect: () => void; href?: never }
)

interface ToastMessage {
  title: string
  description?: string
  /** A further line, for the server's own words beside a fixed sentence. */
  detail?: string | undefined
  variant?: 'default' | 'destructive'
  action?: ToastAction
  /** The chance has passed: the toast went by time, by hand or for the next one, and its action was not chosen. */
  onGone?: () => void
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
  const all = [{ ...message, id: lastId, open: true }, ...entries]
  publish(all.slice(0, LIMIT))
  for (const entry of all.slice(LIMIT)) tellGone(entry)
}

/** Closes a toast now and forgets it later. */
export function dismissToast(id: number): void {
  const dismissed = entries.find((entry) => entry.id === id)
  publish(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
  if (dismissed) tellGone(dismissed)
  if (removals.has(id)) return
  const removal = setTimeout(() => {
    removals.delete(id)
    publish(entries.filter((entry) => entry.id !== id))
  }, REMOVE_DELAY_MS)
  removals.set(id, removal)
}

/** Does what the button of a toast promises, and closes it. */
export function chooseToastAction(id: number): void {
  const chosen = entries.find((entry) => entry.id === id)
  if (!chosen?.open) return
  publish(entries.map((entry) => (entry === chosen ? withoutOnGone(entry) : entry)))
  dismissToast(id)
  chosen.action?.onSelect?.()
}

const withoutOnGone = ({ onGone: _, ...entry }: ToastEntry): ToastEntry => entry

/** Only an open one can go; a closed one has told already. */
function tellGone(entry: ToastEntry): void {
  if (entry.open) entry.onGone?.()
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
