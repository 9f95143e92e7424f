import { expect } from 'vitest'
import { anAccount, anAddress, PASSWORD, register } from './accounts.ts'
import type { RunningApp } from './running-app.ts'

/** Gets everything ready, and hands over the call whose time counts. */
export type PreparedCall = () => Promise<() => Promise<unknown>>

export type KnownOrNot = { known: PreparedCall; unknown: PreparedCall }

/** The routes that must not tell whether somebody has an account. */
export const SILENT_ROUTES = [
  'login',
  'register',
  'forgot-password',
  'resend-verification',
  'verify',
] as const
export type SilentRoute = (typeof SILENT_ROUTES)[number]

/** Calls a route for an address that has an account and for ones that have none. */
export async function knownOrNot(running: RunningApp, route: SilentRoute): Promise<KnownOrNot> {
  const { email: known } = await anAccount(running)
  const prepared = (address: () => string): PreparedCall => {
    return async () => {
      // Whoever is refused for asking too often is refused at once, which would hide a difference.
      await running.db.deleteFrom('rate_buckets').execute()
      await running.db.deleteFrom('auth_mails').execute()
      const call = await bodyAndStatus(running, route, address())
      await running.settled()
      return async () => {
        const { status, text } = await running.browser().post(`/api/auth/${route}`, call.body)
        expect(status, text).toBe(call.status)
      }
    }
  }
  return { known: prepared(() => known), unknown: prepared(() => anAddress()) }
}

async function bodyAndStatus(
  running: RunningApp,
  route: SilentRoute,
  email: string,
): Promise<{ body: object; status: number }> {
  switch (route) {
    case 'login':
      return { body: { email, password: 'not the password' }, status: 401 }
    case 'register':
      return { body: { email, password: PASSWORD }, status: 200 }
    case 'forgot-password':
      return { body: { email }, status: 200 }
    case 'resend-verification':
      return { body: { userId: await register(running.browser(), email) }, status: 200 }
    case 'verify':
      return { body: { userId: await register(running.browser(), email), code: '000000' }, status: 400 }
  }
}
