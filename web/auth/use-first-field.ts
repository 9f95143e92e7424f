import { useEffect } from 'react'

/** Puts the caret into a form's first field, where it does not call up a phone's keyboard over the page. */
export function useFirstField(focus: () => void, ready = true): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form appears, never while it is used
  useEffect(() => {
    if (ready && window.matchMedia('(pointer: fine)').matches) focus()
  }, [ready])
}
