import { useCallback, useEffect, useState } from 'react'
import { onArrival } from '../api/inbox-live.ts'
import { senderName, shownSubject } from './shown-text.ts'

/** `count` tells two that say the same apart: only what changes is read out. */
type News = { words: string; count: number }

/** What is said quietly to those who do not see the list: mail that has come in, and whatever else happens to it. */
export function useNews(): [news: News, say: (words: string) => void] {
  const [news, setNews] = useState<News>({ words: '', count: 0 })
  const say = useCallback((words: string) => setNews(({ count }) => ({ words, count: count + 1 })), [])
  useEffect(
    () =>
      onArrival(({ from, subject }) => say(`New message from ${senderName(from)}: ${shownSubject(subject)}`)),
    [say],
  )
  return [news, say]
}
