import type { InboxAddress, InboxItem, ReplyResponse } from '../../contract/inbox.ts'
import type { Answer, Browser } from './browser.ts'
import type { RunningApp } from './running-app.ts'
import { aConversation } from './smtp-conversation.ts'
import { until } from './until.ts'

export async function inboxAddress(browser: Browser): Promise<string> {
  return ((await browser.get('/api/inbox/address')).json() as InboxAddress).address
}

/** Waits until so many messages are there, newest first; those of machines as well. */
export async function received(browser: Browser, count: number): Promise<InboxItem[]> {
  let items: InboxItem[] = []
  await until(`${count} messages in the inbox`, async () => {
    const lists = await Promise.all(
      ['inbox', 'automatic'].map((folder) => browser.get(`/api/inbox/list?folder=${folder}`)),
    )
    items = lists.flatMap((list) => list.json() as InboxItem[])
    return items.length >= count
  })
  return items.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp))
}

type MessageKey = Pick<InboxItem, 'inboxId' | 'messageId'>

export const tryReply = (
  browser: Browser,
  { inboxId, messageId }: MessageKey,
  text: string,
  headers: Record<string, string> = {},
): Promise<Answer> => browser.post('/api/inbox/reply', { inboxId, messageId, text }, headers)

export async function reply(browser: Browser, message: MessageKey, text: string): Promise<string> {
  const answer = await tryReply(browser, message, text)
  if (answer.status !== 200) throw new Error(`the reply answered ${answer.status}: ${answer.text}`)
  return (answer.json() as ReplyResponse).id
}

/** As the recipient of a mail in the local mailbox would answer it. */
export const answerAs = (running: RunningApp, { id }: { id: string }, text: string): Promise<Answer> =>
  running.browser().post(`/local-mailbox/messages/${id}/reply`, { text })

/** A mail as a mail server brings it, byte for byte. */
export async function bring(
  port: number,
  { from, to }: { from: string; to: string },
  raw: string,
): Promise<void> {
  await using line = await aConversation(port)
  await line.reply()
  const steps = ['EHLO mx.example.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']
  const stuffed = raw.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
  for (const said of [...steps, `${stuffed}\r\n.`]) {
    const answer = await line.say(said)
    if (/^[45]/.test(answer)) throw new Error(`the receiver said ${answer}`)
  }
}
