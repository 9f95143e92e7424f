import type { Page, Request } from 'playwright-core'
import { RELAY_USER } from './own-providers.ts'
import { button, field } from './steps.ts'

export const SETTINGS = '/api/settings'
export const VERIFY = '/api/verify-provider'
export const SENDER = { fromName: 'Ann Keller', fromEmail: 'ann@example.test' }
export const TEST_FIRST = 'Please test your credentials before saving settings'

export const testButton = (page: Page) => button(page, 'Test Credentials')
export const saveButton = (page: Page) => button(page, 'Save Settings')

export async function choose(page: Page, name: string): Promise<void> {
  await field(page, 'Email Provider').selectOption({ label: name })
}

export async function fillSender(page: Page, { fromName, fromEmail } = SENDER): Promise<void> {
  await field(page, 'Sender Name').fill(fromName)
  await field(page, 'Reply-To Email').fill(fromEmail)
}

export async function fillRelay(
  page: Page,
  { hostname, port }: URL,
  { user, pass } = RELAY_USER,
): Promise<void> {
  await field(page, 'SMTP Host').fill(hostname)
  await field(page, 'SMTP Port').fill(port)
  await field(page, 'SMTP Username').fill(user)
  await field(page, 'SMTP Password').fill(pass)
}

/** What the page sends when this is done. */
export async function payloadOf(page: Page, path: string, act: () => Promise<void>): Promise<unknown> {
  const isIt = (request: Request) => request.method() === 'POST' && new URL(request.url()).pathname === path
  const [request] = await Promise.all([page.waitForRequest(isIt), act()])
  return request.postDataJSON()
}

/** What a screen reader adds to a control: its hint, or what is wrong with it. */
export const descriptionOf = (page: Page, label: string): Promise<string> =>
  field(page, label).evaluate((control) => {
    const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })
