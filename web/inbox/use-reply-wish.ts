import { useEffect, useState } from 'react'

/**
 * The message that somebody wants to answer: the cursor goes there as soon as there is a place for it. Whoever has left
 * it before, or has opened another one instead, does not want it any more.
 */
export function useReplyWish(openId: string | null) {
  const [wish, setWish] = useState<string | null>(null)
  useEffect(() => {
    if (openId === null) return
    setWish((wished) => (wished === openId ? wished : null))
    return () => setWish((wished) => (wished === openId ? null : wished))
  }, [openId])
  return [wish, setWish] as const
}
