import { useSyncExternalStore } from 'react'

/** The one breakpoint that changes behaviour and not only measure; styles.css knows it as `md`. */
const query = window.matchMedia('(width < 768px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
