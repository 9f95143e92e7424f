import { randomUUID } from 'node:crypto'
import type { Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Browser as ApiClient } from '../server/test/browser.ts'
import { aMember, eventually, type Member } from './harness.ts'
import type { Site } from './site.ts'
import { button, field } from './steps.ts'

export const SEND = '/api/send-email'
export const DRAFTS = '/api/drafts'
export const SENDER = { fromName: 'Ann Keller', fromEmail: 'ann@example.test' }

export const recipientInput = (page: Page): Locator => field(page, 'Recipients')
export const sendButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Send Email|Sending\.\.\.)$/ })
export const message = (page: Page): Locator => field(page, 'Message')

export type Writer = Omit<Member, 'client'> & { client: ApiClient }

/** Somebody of their own, with sender information unless it is left out, whose drafts and mails nobody else touches. */
export async function aWriter(
  site: Site,
  { sender = SENDER }: { sender?: object | null } = {},
): Promise<Writer> {
  const member = await aMember(site)
  const client = await member.client()
  if (sender) {
    const answer = await client.post('/api/settings', sender)
    expect(answer.status, answer.text).toBe(200)
  }
  return { ...member, client }
}

/** At the sheet, once it knows who writes: what is sent or emptied before would lack that. */
export async function openComposer(page: Page, site: Site, path = '/compose'): Promise<Writer> {
  const writer = await aWriter(site)
  await writer.signInOn(page)
  await page.goto(path)
  await recipientInput(page).waitFor()
  await page.getByRole('region', { name: 'Sender' }).waitFor()
  return writer
}

/** What the chips say, in order. */
export const chips = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Added recipients' })
    .getByRole('button', { name: /^Remove / })
    .evaluateAll((buttons) =>
      buttons.map((chip) => (chip.getAttribute('aria-label') ?? '').replace(/^Remove /, '')),
    )

export async function addRecipients(page: Page, ...addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await recipientInput(page).fill(address)
    await recipientInput(page).press('Enter')
  }
}

export async function write(
  page: Page,
  { to = ['bob@example.test'], subject = 'News', body = 'How are you?' } = {},
): Promise<void> {
  await addRecipients(page, ...to)
  await field(page, 'Subject').fill(subject)
  await message(page).fill(body)
}

/** Chooses these files of addresses together: their names, and what is in them. */
export async function chooseFiles(page: Page, files: Record<string, string>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Add from a file').click(),
  ])
  await chooser.setFiles(
    Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })),
  )
}

/** As the keyboard does it, with the text that somebody copied elsewhere. */
export async function paste(target: Locator, text: string): Promise<void> {
  await target.evaluate((element, pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, text)
}

const isSend = (request: Request): boolean => new URL(request.url()).pathname === SEND

/** What the page sends when this is done, and under which key. */
export async function sentBy(page: Page, act: () => Promise<void>) {
  const [request] = await Promise.all([page.waitForRequest(isSend), act()])
  return { body: request.postDataJSON() as unknown, key: request.headers()['idempotency-key'] }
}

/** Put by, as History does it, once: a reload finds nothing. */
export const leaveResend = (page: Page, entry: unknown) =>
  page.addInitScript(
    (text) => {
      if (sessionStorage.getItem('was here')) return
      sessionStorage.setItem('was here', 'yes')
      sessionStorage.setItem('resend-email', text)
    },
    typeof entry === 'string' ? entry : JSON.stringify(entry),
  )

export const subjectsOf = async ({ client }: Writer): Promise<string[]> =>
  ((await client.get('/api/email-history')).json() as { subject: string }[]).map(({ subject }) => subject)

export const saved = (page: Page): Promise<void> => page.getByText('Saved just now').waitFor()

export const draftsButton = (page: Page): Locator => page.getByRole('button', { name: /^Drafts/ })
export const saveDraftButton = (page: Page): Locator => button(page, 'Save Draft')

type Draft = { id: string; subject: string; recipientCount: number }

export const draftsOf = async ({ client }: Writer): Promise<Draft[]> =>
  (await client.get(DRAFTS)).json() as Draft[]
/** Which draft the page is at, as its address says. */
export const draftIn = (page: Page): string => new URL(page.url()).searchParams.get('draft') ?? ''

export const bodyOf = async ({ client }: Writer, id: string): Promise<string> =>
  ((await client.get(`${DRAFTS}/${id}`)).json() as { body: string }).body

/** A draft as the composer of another device leaves it on the server, also over one that is there; answers its id. */
export async function storeDraft(
  site: Site,
  { client }: Writer,
  { to = [] as string[], subject = '', body = '', id = randomUUID() as string } = {},
): Promise<string> {
  const draft = { recipients: to, subject, body, senderName: '', replyTo: '' }
  const answer = await client.send({
    method: 'PUT',
    path: `${DRAFTS}/${id}`,
    payload: JSON.stringify(draft),
    headers: { origin: site.origin, 'content-type': 'application/json' },
  })
  expect(answer.status, answer.text).toBe(200)
  return id
}

export const TEMPLATES = '/api/templates'

export async function storeTemplate({ client }: Writer, name = 'Invoice'): Promise<string> {
  const answer = await client.post(TEMPLATES, {
    name,
    subject: 'Your invoice',
    body: 'Please find it below.',
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return (answer.json() as { id: string }).id
}

export async function openTemplate(page: Page, site: Site) {
  const writer = await aWriter(site)
  const id = await storeTemplate(writer)
  await writer.signInOn(page)
  await page.goto(`/compose/${id}`)
  await eventually(() => field(page, 'Subject').inputValue()).toBe('Your invoice')
  return { writer, id }
}

export const listedDrafts = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Drafts' }).getByRole('link').allInnerTexts()
