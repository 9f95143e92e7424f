import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

/** A screen change loads no page, so a screen reader would stay silent: this says the new screen's name. */
export function RouteAnnouncer() {
  const [location] = useLocation()
  const [name, setName] = useState('')
  const previous = useRef(location)
  const isAwaited = useRef(false)

  useEffect(() => {
    if (previous.current === location) return
    previous.current = location
    isAwaited.current = true
    window.scrollTo(0, 0)
  }, [location])

  // A screen names the tab when it is there, at once or after it was loaded.
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const named = new MutationObserver(() => {
      if (!isAwaited.current) return
      isAwaited.current = false
      setName(document.title)
    })
    named.observe(title, { childList: true })
    return () => named.disconnect()
  }, [])

  return (
    <div aria-live="polite" className="sr-only">
      {name}
    </div>
  )
}
