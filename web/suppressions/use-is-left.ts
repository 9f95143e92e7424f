import { type RefObject, useEffect, useRef } from 'react'

/** Whether the screen has been left: whoever has left takes what was under way for done. */
export function useIsLeft(): RefObject<boolean> {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return isLeft
}
