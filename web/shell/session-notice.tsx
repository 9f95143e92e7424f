import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useStanding } from '../api/page-session.ts'
import { askWhoIsThere } from '../api/session-watch.ts'
import { Alert } from '../ui/alert.tsx'
import { textLink } from '../ui/text-link.ts'

/** The page has stayed for what was typed in it, though it can save nothing any more: says so, and what to do. */
export function SessionNotice({ email }: { email: string }) {
  const standing = useStanding()
  useAskedOnLeaving(standing !== 'signed in')
  if (standing === 'signed in') return null
  return (
    <div className="z-20 mx-auto w-full max-w-300 bg-paper px-4 pt-4 md:sticky md:top-14 md:px-6">
      {standing === 'signed out' ? (
        <Alert tone="warning" title="You are signed out">
          This page stays as it is, with all that you have typed, but nothing can be saved or sent.{' '}
          <a href="/sign-in" target="_blank" rel="noopener" className={textLink}>
            Sign in in another tab
          </a>
          , then go on here.
        </Alert>
      ) : (
        <Alert tone="warning" title="Another account is signed in">
          All that you have typed is still here, but nothing is saved or sent from this page until {email} is
          signed in again in another tab.
        </Alert>
      )}
    </div>
  )
}

/** Whoever goes on to another screen has left behind what the page had stayed for. */
function useAskedOnLeaving(isLost: boolean): void {
  const client = useQueryClient()
  const [path] = useLocation()
  const seen = useRef(path)
  useEffect(() => {
    if (seen.current === path) return
    seen.current = path
    if (isLost) void askWhoIsThere(client)
  }, [client, path, isLost])
}
