import { useCallback, useEffect, useRef, useState } from 'react'
import type { Suppression } from '../../contract/suppressions.ts'

/** Whom somebody is about to take off the list, and where the keyboard goes when that row is gone. */
export function useRemoval(entries: readonly Suppression[] | null) {
  const [asked, setAsked] = useState<Suppression | null>(null)
  const table = useRef<HTMLElement>(null)
  const place = useRef(0)
  const latest = useRef(entries)
  useEffect(() => {
    latest.current = entries
  }, [entries])
  // The same for all renderings, or each would draw every row again.
  const ask = useCallback((entry: Suppression) => {
    place.current = latest.current?.indexOf(entry) ?? 0
    setAsked(entry)
  }, [])
  return {
    table,
    asked,
    ask,
    close: () => setAsked(null),
    /** The row that has moved up, else the last one. */
    nextRow: (): HTMLElement | null => {
      const buttons = [...(table.current?.querySelectorAll<HTMLElement>('td button') ?? [])]
      return buttons[place.current] ?? buttons.at(-1) ?? null
    },
  }
}
