import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import type { MessagePlace } from '../api/inbox.ts'
import { useQueryString } from '../ui/use-query-string.ts'
import { useTyped } from '../ui/use-typed.ts'
import { pathOfView, readView } from './inbox-view.ts'

/** How a way to a message is noted in the browser's history. */
export type WayOptions = { replace: boolean; state: unknown }

/** From the list to a message is one step, from message to message none: going back always leads to the list. */
const wayFrom = (isOpen: boolean, listPath: string): WayOptions => ({
  replace: isOpen,
  state: isOpen ? window.history.state : { listPath },
})

const listPathNoted = (): unknown =>
  (window.history.state as { listPath?: unknown } | null | undefined)?.listPath

/** What is shown lives in the page's address, so that reloading, sharing and going back keep it. */
export function useInboxView() {
  const search = useQueryString()
  const [, navigate] = useLocation()
  const view = useMemo(() => readView(search), [search])
  const latest = useRef(view)
  /** Going back happens later than it is asked for, and a second time would lead out of the inbox. */
  const isClosing = useRef(false)
  /** What was asked for meanwhile: opened at once, it would be closed by the step back. */
  const afterClosing = useRef<MessagePlace | null>(null)
  const [typed, setTyped] = useTyped(view.q, (q) =>
    navigate(pathOfView({ ...latest.current, q }), { replace: true }),
  )

  const isOpen = view.open !== null
  const listPath = pathOfView({ ...view, open: null })
  const wayOptions = useMemo(() => wayFrom(isOpen, listPath), [isOpen, listPath])

  const open = useCallback(
    (place: MessagePlace) => {
      if (isClosing.current) {
        afterClosing.current = place
        return
      }
      // As it is then: an undo may come long after it was offered.
      const now = latest.current
      const way = wayFrom(now.open !== null, pathOfView({ ...now, open: null }))
      navigate(pathOfView({ ...now, open: place }), way)
    },
    [navigate],
  )
  useLayoutEffect(() => {
    latest.current = view
    isClosing.current = false
    const next = afterClosing.current
    afterClosing.current = null
    if (next) open(next)
    return () => {
      // Once the screen is left there is nothing to close any more, though a reply may still be on its way.
      latest.current = { ...view, open: null }
      isClosing.current = false
    }
  }, [view, open])
  const close = useCallback(() => {
    if (latest.current.open === null || isClosing.current) return
    isClosing.current = true
    const to = pathOfView({ ...latest.current, open: null })
    // Without a step too many where the list is the step before.
    if (listPathNoted() === to) window.history.back()
    else navigate(to, { replace: true })
  }, [navigate])
  const clearSearch = () => {
    setTyped('')
    navigate(pathOfView({ ...latest.current, q: '' }), { replace: true })
  }
  /** Whether this is still the message on the screen, whenever it is asked. */
  const isShown = useCallback(
    ({ messageId }: MessagePlace) => !isClosing.current && latest.current.open?.messageId === messageId,
    [],
  )
  return { view, typed, setTyped, wayOptions, open, close, clearSearch, isShown }
}
