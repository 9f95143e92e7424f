import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { checkSuppressions } from '../api/suppressions.ts'
import type { Recipient } from './recipient-address.ts'
import type { RecipientsView } from './recipient-list.ts'
import { SuppressionCheck } from './suppression-check.ts'

/** Whoever types goes on typing; the question can wait for the end of it. */
const PAUSE_MS = 400
/** Away for so long, somebody may have unsubscribed, or been taken off the list elsewhere. */
const AWAY_MS = 60_000

const NOBODY: readonly Recipient[] = []

/** The recipients that a send would leave out, in their order. */
export function useLeftOut({ all, isReading }: RecipientsView): {
  leftOut: readonly Recipient[]
  isLeftOut: (recipient: Recipient) => boolean
} {
  const [check] = useState(() => new SuppressionCheck(checkSuppressions))
  const suppressed = useSyncExternalStore(check.subscribe, check.suppressed)
  const [signal, setSignal] = useState<AbortSignal | null>(null)
  const [returns, setReturns] = useState(0)

  useEffect(() => {
    const leaving = new AbortController()
    setSignal(leaving.signal)
    return () => leaving.abort()
  }, [])

  useEffect(() => {
    let leftAt = Number.POSITIVE_INFINITY
    const leave = () => {
      leftAt = Date.now()
    }
    const comeBack = () => {
      if (Date.now() - leftAt < AWAY_MS) return
      leftAt = Number.POSITIVE_INFINITY
      check.forget()
      setReturns((count) => count + 1)
    }
    window.addEventListener('blur', leave)
    window.addEventListener('focus', comeBack)
    return () => {
      window.removeEventListener('blur', leave)
      window.removeEventListener('focus', comeBack)
    }
  }, [check])

  // biome-ignore lint/correctness/useExhaustiveDependencies: who comes back asks again about the same
  useEffect(() => {
    if (isReading || all.length === 0 || !signal) return
    const timer = setTimeout(
      () =>
        void check.look(
          all.map(({ text }) => text),
          signal,
        ),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [check, all, isReading, signal, returns])

  return useMemo(() => {
    const isLeftOut = ({ text }: Recipient): boolean => suppressed.has(text)
    return { leftOut: suppressed.size === 0 ? NOBODY : all.filter(isLeftOut), isLeftOut }
  }, [all, suppressed])
}
