import type { InboxAddress, InboxItem, InboxMessage } from '../../contract/inbox.ts'
import { aUser, type SignedIn } from './accounts.ts'
import type { Answer, Browser } from './browser.ts'
import type { RunningApp } from './running-app.ts'
import { mailIn } from './smtp-conversation.ts'
import { until } from './until.ts'

export const INBOX_DOMAIN = 'in.example.test'
/** Which port it is matters only to whoever starts by hand: each test listens on one of its own. */
export const INBOX_ENV = { INBOUND_SMTP_PORT: '2525', INBOUND_DOMAIN: INBOX_DOMAIN }

export type Owner = SignedIn & { address: string }

export async function anOwner(running: RunningApp, email?: string): Promise<Owner> {
  const user = await aUser(running, email === undefined ? {} : { email })
  const answer = await user.browser.get('/api/inbox/address')
  if (answer.status !== 200) throw new Error(`the address answered ${answer.status}: ${answer.text}`)
  return { ...user, address: (answer.json() as InboxAddress).address }
}

let count = 0

/** A mail as somebody would write it; say only what matters. A header that is empty is left out. */
export function aMail(headers: Record<string, string> = {}, body = 'How are you?'): string {
  const all = {
    From: 'Bob Example <bob@example.com>',
    To: 'somebody@in.example.test',
    Subject: 'Hello',
    Date: 'Sun, 01 Nov 2026 10:00:00 +0000',
    'Message-ID': `<mail-${++count}@example.com>`,
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : `${name}: ${value}`))
  return `${lines.join('\n')}\n\n${body}\n`
}

export async function list(browser: Browser, query = ''): Promise<InboxItem[]> {
  const answer = await browser.get(`/api/inbox/list${query}`)
  if (answer.status !== 200) throw new Error(`the list answered ${answer.status}: ${answer.text}`)
  return answer.json() as InboxItem[]
}

/** Waits until everything that was taken is read, and answers what is in the folder, newest first. */
export async function received(
  running: RunningApp,
  who: Pick<SignedIn, 'browser'>,
  query = '',
): Promise<InboxItem[]> {
  await allRead(running)
  return list(who.browser, query)
}

export const allRead = (running: RunningApp): Promise<void> =>
  until('all mail is read', async () => {
    const waiting = await running.db
      .selectFrom('inbox_messages')
      .select('id')
      .where('state', '=', 'w')
      .execute()
    return waiting.length === 0
  })

/** One mail by SMTP, which must be taken. */
export async function deliver(port: number, to: string | readonly string[], raw: string): Promise<void> {
  const answer = await mailIn(port, [to].flat(), raw, 'bob@example.com')
  if (!answer.startsWith('250 ')) throw new Error(`the receiver said ${answer}`)
}

export const pathOf = ({ inboxId, messageId }: Pick<InboxItem, 'inboxId' | 'messageId'>): string =>
  `/api/inbox/message/${inboxId}/${messageId}`

export async function open(
  browser: Browser,
  item: Pick<InboxItem, 'inboxId' | 'messageId'>,
): Promise<InboxMessage> {
  const answer = await browser.get(pathOf(item))
  if (answer.status !== 200) throw new Error(`the message answered ${answer.status}: ${answer.text}`)
  return answer.json() as InboxMessage
}

/** A call with a body, by any method. */
export const write = (browser: Browser, method: string, path: string, body?: unknown): Promise<Answer> =>
  browser.send({
    method,
    path,
    headers: {
      origin: 'http://localhost:3000',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
