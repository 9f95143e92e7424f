import { loadLater } from './shell/load-later.tsx'
import { StartScreen } from './shell/start-screen.tsx'

/* Two halves, loaded apart: who signs in does not wait for the application, and the other way round. */

export const SignedInRoutes = loadLater(async () => (await import('./signed-in-routes.tsx')).SignedInRoutes, {
  meanwhile: <StartScreen />,
})

export const SignedOutRoutes = loadLater(
  async () => (await import('./signed-out-routes.tsx')).SignedOutRoutes,
  { meanwhile: <StartScreen /> },
)
