import { useEffect, useState } from 'react'
import type { SaveState } from './save-state.ts'
import { age } from './words.ts'

const TICK_MS = 30_000

/** Quiet words about the draft. Only a failure is read out: a screen reader at every pause would be unbearable. */
export function SaveStatus({ state }: { state: SaveState }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (state.kind !== 'saved') return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [state])

  return (
    <>
      <span className="whitespace-nowrap text-muted">
        {state.kind === 'nothing to save' && 'Nothing to save yet'}
        {state.kind === 'saving' && 'Saving…'}
        {state.kind === 'saved' && `Saved ${age(state.at, now)}`}
      </span>
      <span role="status" className="text-failed-text">
        {state.kind === 'failed' && `Draft not saved, trying again. ${state.reason}`}
      </span>
    </>
  )
}
