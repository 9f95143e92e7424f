import { useSyncExternalStore } from 'react'

/** How a page stands to the session, which all tabs of a browser share and which may end anywhere. */
type Standing = 'signed in' | 'signed out' | 'somebody else'

let userId: string | null = null
let standing: Standing = 'signed in'
const listeners = new Set<() => void>()

/** Whom this page is for: whatever it writes is meant for no other account, whoever has signed in meanwhile. */
export const pageUser = (): string | null => userId
export function setPageUser(id: string | null): void {
  userId = id
}

let isGoing = false

/** Somebody logs out here. What is refused from then on is no news: the page says that it is over, and then leaves. */
export const isLeaving = (): boolean => isGoing
export function setLeaving(next: boolean): void {
  isGoing = next
}

export const isStanding = (asked: Standing): boolean => standing === asked
export function setStanding(next: Standing): void {
  standing = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useStanding = (): Standing => useSyncExternalStore(subscribe, () => standing)
