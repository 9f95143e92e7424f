import { useEffect, useState } from 'react'

/**
 * Where menus and tooltips are put. At the end of the body, Radix's default, they would be content outside of every
 * landmark, which a screen reader's user cannot reach by landmarks.
 */
export function useMainLandmark(): HTMLElement | null {
  const [main, setMain] = useState<HTMLElement | null>(null)
  useEffect(() => setMain(document.querySelector('main')), [])
  return main
}
