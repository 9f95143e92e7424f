import { lazy } from 'react'

/* Two halves, loaded apart: who signs in does not wait for the application, and the other way round. */

export const SignedInRoutes = lazy(async () => ({
  default: (await import('./signed-in-routes.tsx')).SignedInRoutes,
}))

export const SignedOutRoutes = lazy(async () => ({
  default: (await import('./signed-out-routes.tsx')).SignedOutRoutes,
}))
