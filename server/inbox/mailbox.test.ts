import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InboxItem, type InboxSummary, NEXT_CURSOR_HEADER } from '../../contract/inbox.ts'
import {
  aMail,
  anOwner,
  deliver,
  INBOX_ENV,
  list,
  type Owner,
  open,
  pathOf,
  received,
  write,
} from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

const AUTOMATIC = { Subject: 'Out of office', 'Auto-Submitted': 'auto-replied' }
const LIST = { Subject: 'News of the week', 'List-Id': '<news.example.com>', Precedence: 'list' }

/** Somebody with these mails, one after the other. */
async function withMails(...mails: string[]): Promise<{ ann: Owner; items: InboxItem[] }> {
  const ann = await anOwner(running)
  for (const mail of mails) await deliver(port, ann.address, mail)
  return { ann, items: await received(running, ann) }
}

const summary = async ({ browser }: Owner): Promise<InboxSummary['unread']> =>
  ((await browser.get('/api/inbox/summary')).json() as InboxSummary).unread
const subjects = async ({ browser }: Owner, query: string): Promise<string[]> =>
  (await list(browser, query)).map(({ subject }) => subject)
const change = (who: Owner, item: InboxItem, body: object) => write(who.browser, 'PATCH', pathOf(item), body)

describe('folders', () => {
  it('hold what people wrote, and what machines answered, apart', async () => {
    const { ann } = await withMails(aMail({ Subject: 'From a person' }), aMail(AUTOMATIC), aMail(LIST))
    expect(await subjects(ann, '')).toEqual(['News of the week', 'From a person'])
    expect(await list(ann.browser, '?folder=automatic')).toMatchObject([
      { subject: 'Out of office', isAutomatic: true, folder: 'automatic' },
    ])
    expect(await summary(ann)).toEqual({ inbox: 2, automatic: 1 })
  })

  it('are left for the archive, and found again on the way back', async () => {
    const { ann, items } = await withMails(aMail({ Subject: 'From a person' }), aMail(AUTOMATIC))
    const [person] = items
    const [machine] = await list(ann.browser, '?folder=automatic')
    if (!person || !machine) throw new Error('no messages')
    for (const item of [person, machine])
      expect((await change(ann, item, { isArchived: true })).json()).toMatchObject({ folder: 'archived' })
    expect(await subjects(ann, '?folder=archived')).toEqual(['Out of office', 'From a person'])
    expect(await subjects(ann, '')).toEqual([])
    expect(await summary(ann)).toEqual({ inbox: 0, automatic: 0 })
    expect((await change(ann, person, { isArchived: false })).json()).toMatchObject({ folder: 'inbox' })
    expect((await change(ann, machine, { isArchived: false })).json()).toMatchObject({ folder: 'automatic' })
  })

  it('are shown page by page, newest first, each message once', async () => {
    const { ann } = await withMails(...Array.from({ length: 7 }, (_, n) => aMail({ Subject: `Number ${n}` })))
    const seen: string[] = []
    let cursor: string | undefined = ''
    for (let page = 0; cursor !== undefined && page < 5; page += 1) {
      const answer = await ann.browser.get(`/api/inbox/list?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...(answer.json() as InboxItem[]).map(({ subject }) => subject))
      cursor = answer.headers[NEXT_CURSOR_HEADER]
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Number ${n}`))
    for (const bad of ['x', '1_x', `x_${randomUUID()}`, '%00'])
      expect((await ann.browser.get(`/api/inbox/list?cursor=${bad}`)).status).toBe(400)
  })
})

describe('a message', () => {
  it('is unread until somebody says otherwise, and can be so again', async () => {
    const { ann, items } = await withMails(aMail())
    const [item] = items
    if (!item) throw new Error('no message')
    await open(ann.browser, item)
    expect(await list(ann.browser)).toMatchObject([{ isUnread: true }])
    expect((await change(ann, item, { isUnread: false })).json()).toMatchObject({ isUnread: false })
    expect(await summary(ann)).toEqual({ inbox: 0, automatic: 0 })
    expect((await change(ann, item, { isUnread: true })).json()).toMatchObject({ isUnread: true })
    expect((await change(ann, item, {})).json()).toMatchObject({ isUnread: true, folder: 'inbox' })
    expect((await change(ann, item, { isStarred: true })).status).toBe(400)
  })

  it('shows all that it says', async () => {
    const headers = {
      'Content-Type': 'multipart/mixed; boundary=x',
      Cc: 'Eve <eve@example.com>, mallory@example.com',
      'Reply-To': 'office@example.com',
      Date: 'Sun, 01 Nov 2026 10:00:00 +0100',
    }
    const body = [
      '--x\nContent-Type: text/html\n\n<p onclick="x()">Hello <img src="https://example.com/a.png"></p>',
      '--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\nContent-Transfer-Encoding: base64\n\ndGhlIGZpbGU=',
      '--x--',
    ].join('\n')
    const { ann, items } = await withMails(aMail(headers, body))
    const [item] = items
    if (!item) throw new Error('no message')
    expect(item.attachmentCount).toBe(1)
    const message = await open(ann.browser, item)
    expect(message).toMatchObject({
      cc: [{ email: 'eve@example.com' }, { email: 'mallory@example.com' }],
      answersTo: 'office@example.com',
      sentDate: '2026-11-01T09:00:00.000Z',
      hasRemoteImages: true,
      isReadable: true,
      attachments: [{ name: 'a.txt', type: 'text/plain', size: 8 }],
      conversation: [],
    })
    expect(message.html).toContain('Hello')
    expect(message.html).not.toContain('onclick')
    expect(message.html).not.toContain(' src=')
  })

  it('names all whom it was sent to, although the list names the first of them', async () => {
    const to = Array.from({ length: 30 }, (_, number) => `p${number}@example.com`)
    const { ann, items } = await withMails(aMail({ To: to.join(', ') }))
    const [item] = items
    if (!item) throw new Error('no message')
    expect(item.to).toEqual(to.slice(0, 20).map((email) => ({ email })))
    expect((await open(ann.browser, item)).to).toEqual(to.map((email) => ({ email })))
  })

  it('that is deleted is gone, and its source and its content with it', async () => {
    const { ann, items } = await withMails(aMail(), aMail())
    const [gone, stays] = items
    if (!gone || !stays) throw new Error('no messages')
    expect(await write(ann.browser, 'DELETE', pathOf(gone))).toMatchObject({ status: 200 })
    expect(await write(ann.browser, 'DELETE', pathOf(gone))).toMatchObject({ status: 404 })
    expect((await list(ann.browser)).map(({ messageId }) => messageId)).toEqual([stays.messageId])
    for (const table of ['inbox_contents', 'inbox_sources'] as const) {
      const rows = await running.db
        .selectFrom(table)
        .select('message_id')
        .where('message_id', 'in', [gone.messageId, stays.messageId])
        .execute()
      expect(rows).toEqual([{ message_id: stays.messageId }])
    }
  })
})

describe('a message of somebody else', () => {
  it('is as absent as one that never was, on every route', async () => {
    const { items } = await withMails(aMail(), aMail(AUTOMATIC))
    const eve = await anOwner(running)
    const [item] = items
    if (!item) throw new Error('no message')
    const own = (await eve.browser.get('/api/inbox/address')).status
    expect(own).toBe(200)
    const { id: eveInbox } = await running.db
      .selectFrom('inboxes')
      .select('id')
      .where('user_id', '=', eve.userId)
      .executeTakeFirstOrThrow()
    const calls = [
      { method: 'GET', end: '' },
      { method: 'GET', end: '/html' },
      { method: 'GET', end: '/html?images=true&theme=dark' },
      { method: 'GET', end: '/source' },
      { method: 'GET', end: '/source?download' },
      { method: 'GET', end: '/attachments/0' },
      { method: 'PATCH', end: '', body: { isUnread: false } },
      { method: 'PATCH', end: '', body: { isArchived: true } },
      { method: 'DELETE', end: '' },
    ]
    const comparable = ({ status, text, headers }: Awaited<ReturnType<typeof write>>) => {
      const { date, ...rest } = headers
      return { status, text, headers: rest }
    }
    for (const { method, end, body } of calls) {
      const absent = comparable(
        await write(
          eve.browser,
          method,
          `${pathOf({ inboxId: eveInbox, messageId: randomUUID() })}${end}`,
          body,
        ),
      )
      expect(absent.status).toBe(404)
      for (const path of [
        pathOf(item),
        pathOf({ inboxId: eveInbox, messageId: item.messageId }),
        pathOf({ inboxId: 'x', messageId: '%00' }),
      ])
        expect({
          method,
          end,
          ...comparable(await write(eve.browser, method, `${path}${end}`, body)),
        }).toEqual({
          method,
          end,
          ...absent,
        })
      const stranger = await write(running.browser(), method, `${pathOf(item)}${end}`, body)
      expect({ method, end, status: stranger.status }).toEqual({ method, end, status: 401 })
    }
    expect(await list(eve.browser)).toEqual([])
    expect(await list(eve.browser, '?q=How')).toEqual([])
    expect(await summary(eve)).toEqual({ inbox: 0, automatic: 0 })
    expect(await received(running, (await withMails()).ann)).toEqual([])
  })
})
