import { useEffect, useRef, useState } from 'react'

/** Long enough for the next letter of a word, short enough to feel at once. */
const TYPING_MS = 250

/** Text that takes effect once typing pauses; when somebody else changes what is in effect, the text follows. */
export function useTyped(
  inEffect: string,
  apply: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(inEffect)
  const known = useRef(inEffect)
  const latest = useRef(apply)
  useEffect(() => {
    latest.current = apply
  }, [apply])

  useEffect(() => {
    // The back button, or a link: what was typed before belongs to another page.
    if (inEffect !== known.current) setTyped(inEffect)
    known.current = inEffect
  }, [inEffect])

  useEffect(() => {
    if (typed === known.current) return
    const timer = setTimeout(() => {
      known.current = typed
      latest.current(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return [typed, setTyped]
}
