import { useSyncExternalStore } from 'react'

/** Things that are deleted as far as people are concerned, while the deletion can still be undone. */
export function createHiddenIds() {
  let hidden: ReadonlySet<string> = new Set()
  const listeners = new Set<() => void>()

  function publish(next: ReadonlySet<string>): void {
    hidden = next
    for (const listener of listeners) listener()
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return {
    hide: (id: string): void => publish(new Set([...hidden, id])),
    show: (id: string): void => publish(new Set([...hidden].filter((other) => other !== id))),
    useHidden: (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden),
  }
}
