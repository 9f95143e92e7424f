import { useEffect, useRef, useState } from 'react'
import type { Settings } from '../../contract/settings.ts'
import { BLANK_LETTER, type Letter } from './letter.ts'

/** The written part. `latest` is what it holds right now, also for whoever asks between two renderings. */
export function useLetter(initial: Letter) {
  const [letter, setLetter] = useState(initial)
  const latest = useRef(letter)
  const replace = (next: Letter) => {
    latest.current = next
    setLetter(next)
  }
  return {
    letter,
    latest,
    replace,
    change: (fields: Partial<Letter>) => replace({ ...latest.current, ...fields }),
    clear: () => replace(BLANK_LETTER),
  }
}

type LetterModel = ReturnType<typeof useLetter>

/** Sender name and reply-to come from the settings: once, and only while both are empty. */
export function useSenderPrefill({ latest, change }: LetterModel, settings: Settings | undefined): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (!settings || isDone.current) return
    isDone.current = true
    const { senderName, replyTo } = latest.current
    if (senderName === '' && replyTo === '')
      change({ senderName: settings.fromName, replyTo: settings.fromEmail })
  })
}
