import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../contract/auth.ts'
import { isAnythingUnsaved } from '../ui/use-leave-guard.ts'
import { readSession } from './auth-answers.ts'
import { ApiError, apiRequest, readJson, sessionKey, WHO_IS_THERE } from './client.ts'
import { isLeaving, isStanding, setStanding } from './page-session.ts'

const CHANNEL = 'postrider-session'

/**
 * All tabs of a browser share one session. Whoever signs in or out in one of them tells the others, which otherwise
 * would go on showing one account and writing into another.
 */
export function useSessionWatch(session: Session | null | undefined): void {
  const client = useQueryClient()
  const userId = session === undefined ? undefined : (session?.user.id ?? null)
  useEffect(() => {
    if (userId === undefined) return
    const channel = new BroadcastChannel(CHANNEL)
    channel.postMessage(userId)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Who is just signing in or up is not disturbed.
      if (userId !== null && (data !== userId || !isStanding('signed in'))) void askWhoIsThere(client)
    }
    return () => channel.close()
  }, [client, userId])
}

/**
 * Somebody else: begin anew as them. Nobody: sign in again. Unless that would lose what was typed here: then the page
 * stays as it is, and says so.
 */
export async function askWhoIsThere(client: QueryClient): Promise<void> {
  if (isLeaving()) return
  const known = client.getQueryData<Session | null>(sessionKey)
  try {
    const answer = await apiRequest('GET', WHO_IS_THERE)
    const isSame = readSession(await readJson(answer)).user.id === known?.user.id
    if (isSame) setStanding('signed in')
    else if (isAnythingUnsaved()) setStanding('somebody else')
    else window.location.reload()
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.status === 401
    // It may have been asked before.
    if (!isSignedOut || isLeaving()) return
    if (isAnythingUnsaved()) setStanding('signed out')
    else client.setQueryData(sessionKey, null)
  }
}
