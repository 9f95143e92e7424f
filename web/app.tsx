import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from './api/auth.ts'
import { createQueryClient } from './api/client.ts'
import { instanceQuery } from './api/instance.ts'
import { askWhoIsThere, useSessionWatch } from './api/session-watch.ts'
import { SignedInRoutes, SignedOutRoutes } from './routes.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { StartScreen, UnreachableScreen } from './shell/start-screen.tsx'
import { Toaster } from './ui/toaster.tsx'

export function App() {
  const [client] = useState(() => createQueryClient((asking) => void askWhoIsThere(asking)))
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <SessionGate />
      </ErrorBoundary>
      <Toaster />
    </QueryClientProvider>
  )
}

/** Asks who is there before anything else is shown. */
function SessionGate() {
  const session = useSession()
  useSessionWatch(session.data)
  const client = useQueryClient()
  // Asked right behind it, so that the note about the local mailbox does not push a form down later.
  useEffect(() => void client.prefetchQuery(instanceQuery), [client])
  if (session.data) return <SignedInRoutes session={session.data} />
  if (session.data === null) return <SignedOutRoutes />
  if (session.isError) {
    return <UnreachableScreen onRetry={() => void session.refetch()} retrying={session.isFetching} />
  }
  return <StartScreen />
}
