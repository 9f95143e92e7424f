import { useEffect } from 'react'

/** The browser asks before it reloads or closes the page while there is something that would be lost. */
export function useWarnOnUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
