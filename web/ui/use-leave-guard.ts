import { useCallback, useEffect, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'

let isPassing = false
/** Going back or forward happens later than it is asked for. */
let passesNext = false

/** Changes the address without being asked. */
export function passingGuard(act: () => void): void {
  isPassing = true
  try {
    act()
  } finally {
    isPassing = false
  }
}

/** Answers whether it holds up the way out; then it goes on by itself, or when the person says so. */
type Hold = (to: URL | null, go: () => void) => boolean

type Guard = { isSafe: () => boolean; hold: Hold }

const guards = new Set<Guard>()

/** Each in its turn: what one has let go may still be held up by another. */
function holdUp(to: URL | null, go: () => void, passed: ReadonlySet<Guard> = new Set()): boolean {
  for (const guard of guards) {
    if (passed.has(guard)) continue
    const goOn = () => {
      if (!holdUp(to, go, new Set([...passed, guard]))) go()
    }
    if (guard.hold(to, goOn)) return true
  }
  return false
}

/** For a way out that ends in another page: whatever would be lost is saved first, or asked about. */
export function leaveBy(go: () => void): void {
  if (!holdUp(null, go)) go()
}

/** One for all guards: what may pass is told once. */
function onNavigate(event: NavigateEvent): void {
  const isInside = event.destination.sameDocument && !event.hashChange
  const mayPass = isPassing || passesNext
  passesNext = false
  if (mayPass || !isInside || !event.cancelable) return
  if (holdUp(new URL(event.destination.url), wayTo(event))) event.preventDefault()
}

let isLetGo = false
/** The session is over: nothing can be saved any more, so nobody is asked to stay. */
export function letGo(): void {
  isLetGo = true
}

export const isAnythingUnsaved = (): boolean => !isLetGo && [...guards].some(({ isSafe }) => !isSafe())

/** A save that takes no longer than this delays the way out by so much, and nobody is asked. */
const PATIENCE_MS = 600

interface Guarded {
  /** Nothing would be lost. `to` is null when the page itself is closed or reloaded. */
  isSafe(to: URL | null): boolean
  /** Tries to make it so. */
  save(): Promise<boolean>
}

/**
 * Whoever leaves with unsaved text is asked first. A draft that holds everything already makes leaving safe, so then
 * there is no question; and text that is only a moment old is saved on the way out, the question comes up only when
 * that fails or takes long. A page that is closed cannot wait for a save, so there the browser asks whenever anything
 * is unsaved.
 *
 * The ways inside the application (links, shortcuts, back and forward) all pass the browser's navigation event. Where a
 * browser has none, they are not held up; the screen still saves as it goes.
 */
export function useLeaveGuard(guarded: Guarded) {
  const current = useRef(guarded)
  useEffect(() => {
    current.current = guarded
  })
  const [wish, setWish] = useState<(() => void) | null>(null)
  /** The same, known before it is drawn. */
  const asked = useRef<(() => void) | null>(null)

  const answered = useCallback(() => {
    asked.current = null
    setWish(null)
  }, [])

  useEffect(() => {
    const hold: Hold = (to, go) => {
      if (current.current.isSafe(to)) return false
      const saving = current.current.save()
      void isSavedSoon(saving).then(async (isSaved) => {
        if (isSaved) return go()
        asked.current = go
        setWish(() => go)
        // Late is not lost: there is nothing to ask any more, unless the answer is there already.
        if (!(await saving) || asked.current !== go) return
        answered()
        go()
      })
      return true
    }
    const guard = { isSafe: () => current.current.isSafe(null), hold }
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!isLetGo && !guard.isSafe()) event.preventDefault()
    }
    guards.add(guard)
    window.addEventListener('beforeunload', onBeforeUnload)
    const ways = 'navigation' in window ? window.navigation : null
    ways?.addEventListener('navigate', onNavigate)
    return () => {
      guards.delete(guard)
      window.removeEventListener('beforeunload', onBeforeUnload)
      if (guards.size === 0) ways?.removeEventListener('navigate', onNavigate)
    }
  }, [answered])

  return {
    isAsking: wish !== null,
    stay: answered,
    leave: () => {
      answered()
      wish?.()
    },
  }
}

/** The same way again, unhindered. */
function wayTo({ destination, navigationType }: NavigateEvent): () => void {
  if (navigationType === 'traverse')
    return () => {
      passesNext = true
      window.navigation.traverseTo(destination.key)
    }
  const { pathname, search, hash } = new URL(destination.url)
  const to = pathname + search + hash
  return () => passingGuard(() => navigate(to, { replace: navigationType === 'replace' }))
}

export type LeaveGuard = ReturnType<typeof useLeaveGuard>

const isSavedSoon = (save: Promise<boolean>): Promise<boolean> =>
  Promise.race([save, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS))])
