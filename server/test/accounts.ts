import { randomUUID } from 'node:crypto'
import type { RegisterResponse } from '../../contract/auth.ts'
import { sessionCookieName } from '../platform/http/security.ts'
import { hashToken, randomToken } from '../platform/secrets.ts'
import type { Browser } from './browser.ts'
import type { RunningApp } from './running-app.ts'

export const PASSWORD = 'correct horse battery'

let count = 0
export const anAddress = (name = 'ann'): string => `${name}${++count}@example.test`

export async function register(browser: Browser, email: string, password = PASSWORD): Promise<string> {
  const answer = await browser.post('/api/auth/register', { email, password })
  if (answer.status !== 200) throw new Error(`register answered ${answer.status}: ${answer.text}`)
  return (answer.json() as RegisterResponse).userId
}

/** Signs up as a person would, code and all; the browser is then signed in. */
export async function anAccount(
  running: RunningApp,
  { email = anAddress(), password = PASSWORD }: { email?: string; password?: string } = {},
): Promise<{ browser: Browser; email: string; userId: string }> {
  const browser = running.browser()
  const userId = await register(browser, email, password)
  const code = await running.mails.code(email)
  const answer = await browser.post('/api/auth/verify', { userId, code })
  if (answer.status !== 200) throw new Error(`verify answered ${answer.status}: ${answer.text}`)
  return { browser, email, userId }
}

export type SignedIn = { browser: Browser; email: string; userId: string }

/** A signed-in user whose rows were put there directly: no mail leaves, so that any transport will do. */
export async function aUser(
  running: RunningApp,
  { email = anAddress() }: { email?: string } = {},
): Promise<SignedIn> {
  const userId = randomUUID()
  await running.db
    .insertInto('users')
    .values({ id: userId, email, email_key: email.toLowerCase(), password_hash: 'nobody signs in with this' })
    .execute()
  return { browser: await signedIn(running, userId), email, userId }
}

/** Another browser of a user: another tab, or the same one after a restart of the application. */
export async function signedIn(running: RunningApp, userId: string): Promise<Browser> {
  const token = randomToken()
  await running.db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: userId })
    .execute()
  const browser = running.browser()
  browser.cookies.set(sessionCookieName(running.config.publicUrl), token)
  return browser
}
