import { useEffect, useRef } from 'react'

/** What one form tells the others of a draft. `basedOn` is the stored state that was sent, or written on before. */
export type DraftNews =
  | { kind: 'saved'; draftId: string }
  | { kind: 'sent'; draftId: string; basedOn: string | null }
  | { kind: 'deleted'; draftId: string }
  /** A send has failed; `words` are the server's, if it has refused what was sent. */
  | { kind: 'not sent'; draftId: string; words: string | null }

const CHANNEL = 'postrider-drafts'

/** Hears what other tabs do with drafts, and tells them what this one does. */
export function useDraftNews(onNews: (news: DraftNews) => void): (news: DraftNews) => void {
  const channel = useRef<BroadcastChannel | null>(null)
  const listener = useRef(onNews)
  useEffect(() => {
    listener.current = onNews
  })
  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL)
    opened.onmessage = ({ data }: MessageEvent<DraftNews>) => listener.current(data)
    channel.current = opened
    return () => {
      channel.current = null
      opened.close()
    }
  }, [])
  return (news) => {
    // The last save of a screen that has been left still deserves to be told.
    const open = channel.current ?? new BroadcastChannel(CHANNEL)
    open.postMessage(news)
    if (open !== channel.current) open.close()
  }
}
