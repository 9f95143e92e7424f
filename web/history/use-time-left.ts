import { useEffect, useState } from 'react'
import { waitingOf } from '../../contract/under-way.ts'
import { type Standing, settledOf } from './progress.ts'
import { LOOK_BACK_MS, leftWords, type Sample, secondsLeft, withSample } from './remaining-time.ts'

/** How long a campaign will take, from how fast its counts have moved while somebody looked; null if unknown. */
export function useTimeLeft({ counts, state }: Pick<Standing, 'counts' | 'state'>): string | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const settled = settledOf(counts)
  const isSending = state === 'sending'
  useEffect(() => {
    // What was measured before a pause says nothing about the time after it.
    setSamples((known) => (isSending ? withSample(known, { at: performance.now(), settled }) : []))
  }, [settled, isSending])
  const [lookedAt, setLookedAt] = useState(0)
  useEffect(() => {
    const last = samples.at(-1)
    if (!last) return
    const timer = setTimeout(() => setLookedAt(last.at + LOOK_BACK_MS), LOOK_BACK_MS)
    return () => clearTimeout(timer)
  }, [samples])
  const seconds = secondsLeft(samples, waitingOf(counts), lookedAt)
  return isSending && seconds !== null ? leftWords(seconds) : null
}
