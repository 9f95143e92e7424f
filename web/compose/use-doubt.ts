import { useRef, useState } from 'react'
import type { SendDoubt } from '../api/send-doubt.ts'
import { doubtOf, noteDoubt } from './doubt-memory.ts'

/** What is to be known of earlier sends before this email is sent. `latest` knows it before it is drawn. */
export function useDoubt(saver: { readonly draftId: string }) {
  const [doubt, setDoubt] = useState<SendDoubt | null>(() => doubtOf(saver.draftId))
  const latest = useRef(doubt)
  const show = (left: SendDoubt | null) => {
    latest.current = left
    setDoubt(left)
  }
  return {
    doubt,
    latest,
    settle: (left: SendDoubt | null) => {
      show(left)
      noteDoubt(saver.draftId, left)
    },
    /** Another form of the same draft, such as one that was left, may have learned more. */
    recall: () => show(doubtOf(saver.draftId)),
  }
}
