import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

/** A screen change loads no page, so a screen reader would stay silent: this says the new screen's name. */
export function RouteAnnouncer() {
  const [location] = useLocation()
  const [name, setName] = useState('')
  const previous = useRef(location)

  useEffect(() => {
    if (previous.current === location) return
    previous.current = location
    window.scrollTo(0, 0)
    setName(document.title)
  }, [location])

  return (
    <div aria-live="polite" className="sr-only">
      {name}
    </div>
  )
}
