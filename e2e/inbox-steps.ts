import type { Locator, Page } from 'playwright-core'
import { bring } from '../server/test/replies.ts'
import { aMember, type Member } from './harness.ts'
import { type Inbox, inboxOf, type StoredMail, storeMails } from './inbox-mails.ts'
import type { Site } from './site.ts'
import { button } from './steps.ts'
import { expectToast } from './toasts.ts'

export const LIST = '/api/inbox/list'
export const REPLY = '/api/inbox/reply'

type Reader = { member: Member; inbox: Inbox; ids: string[] }

/** Somebody with an inbox of their own, for journeys go side by side; signed in, but not there yet. */
export async function aReader(page: Page, site: Site, mails: readonly StoredMail[] = []): Promise<Reader> {
  const member = await aMember(site)
  const inbox = await inboxOf(site, member)
  const ids = mails.length > 0 ? await storeMails(site, inbox, mails) : []
  await member.signInOn(page)
  return { member, inbox, ids }
}

/** The same, looking at the list. */
export async function withMails(page: Page, site: Site, mails: readonly StoredMail[]): Promise<Reader> {
  const reader = await aReader(page, site, mails)
  await page.goto('/inbox')
  await rows(page).first().waitFor()
  return reader
}

export const messages = (page: Page, folder = 'Inbox'): Locator =>
  page.getByRole('list', { name: folder, exact: true })

export const rows = (page: Page, folder?: string): Locator => messages(page, folder).getByRole('link')

export const row = (page: Page, text: string | RegExp): Locator => rows(page).filter({ hasText: text })

/** What a row says, one entry a line. */
export const linesOf = async (one: Locator): Promise<string[]> =>
  (await one.innerText())
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The right pane; on a phone the whole screen. */
export const pane = (page: Page): Locator => page.getByRole('region', { name: 'Message', exact: true })

export const subject = (page: Page, text: string): Locator =>
  pane(page).getByRole('heading', { level: 2, name: text, exact: true })

export const fact = async (page: Page, name: string): Promise<string> =>
  pane(page).locator(`dt:text-is("${name}") + dd`).first().innerText()

export const frame = (page: Page): Locator => pane(page).locator('iframe')

export const replyArea = (page: Page): Locator => page.getByLabel('Your reply', { exact: true })

export const folder = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name })

/** What the sidebar says of new mail, which is counted apart from the list. */
export const unreadWords = async (page: Page): Promise<string> =>
  (await page.getByTestId('link-inbox').innerText()).replace(/\s+/g, ' ')

export const searchBox = (page: Page): Locator => page.getByPlaceholder('Search messages...')

export const placeOf = ({ inbox, ids }: Reader, index = 0): string =>
  `/inbox?message=${inbox.inboxId}.${ids[index]}`

type RawMail = {
  from?: string
  to?: string
  subject?: string
  headers?: readonly string[]
  type?: string
  body?: string
}

let count = 0

/** The bytes of a mail; whatever is not said is as most mails have it. */
function rawMail({ from, to, subject: about, headers = [], type, body = 'Hello!' }: RawMail): string {
  count += 1
  return [
    `From: ${from ?? 'Ann Keller <ann@example.test>'}`,
    `To: ${to ?? 'somebody@example.test'}`,
    `Subject: ${about ?? `Letter ${count}`}`,
    `Message-ID: <${count}.${process.pid}@mails.example.test>`,
    `Date: ${new Date().toUTCString()}`,
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: ${type ?? 'text/plain; charset=utf-8'}`,
    'Content-Transfer-Encoding: 8bit',
    '',
    body,
  ].join('\r\n')
}

/** Brings a mail to an inbox as another mail server would. */
export async function receive(
  site: Site,
  { address }: Inbox,
  mail: RawMail,
  from = 'ann@example.test',
): Promise<void> {
  await bring(await site.receiver(), { from, to: address }, rawMail({ to: address, ...mail }))
}

/** One server may have a few lines open at the same time. */
const LINES = 4

export async function receiveAll(site: Site, inbox: Inbox, mails: readonly RawMail[]): Promise<void> {
  const waiting = [...mails]
  const line = async (): Promise<void> => {
    for (let mail = waiting.shift(); mail; mail = waiting.shift()) await receive(site, inbox, mail)
  }
  await Promise.all(Array.from({ length: LINES }, line))
}

/** As another tab, or another device, does it. */
export async function deleteElsewhere(page: Page, place: string): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(place)
  await button(other, 'Delete').click()
  await expectToast(other, 'Message Deleted')
  await other.close({ runBeforeUnload: true })
}
