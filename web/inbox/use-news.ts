import { useEffect, useState } from 'react'
import { onArrival } from '../api/inbox-live.ts'
import { senderName, shownSubject } from './shown-text.ts'

/** What is said quietly to those who do not see the list: mail that has come in, and whatever else happens to it. */
export function useNews(): [words: string, say: (words: string) => void] {
  const [words, say] = useState('')
  useEffect(
    () =>
      onArrival(({ from, subject }) => say(`New message from ${senderName(from)}: ${shownSubject(subject)}`)),
    [],
  )
  return [words, say]
}
