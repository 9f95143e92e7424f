import type { RegisterResponse } from '../../contract/auth.ts'
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
