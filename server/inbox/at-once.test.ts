import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { originOf } from '../test/inbound-webhooks.ts'
import { aMail, anOwner, deliver, INBOX_ENV, list, type Owner, pathOf, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { until } from '../test/until.ts'

let running: RunningApp
let port: number
let ann: Owner
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  ann = await anOwner(running)
})
afterAll(() => running[Symbol.asyncDispose]())

it('a reply to a message that is deleted at that very moment is refused in words, and not sent', async () => {
  await deliver(port, ann.address, aMail())
  const [item] = await received(running, ann)
  if (!item) throw new Error('no mail')
  const { messageId, inboxId } = item
  // In this database: those of other tests wait for each other as well.
  const isWaited = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(running.db)
    return rows.length > 0
  }
  const { promise: deleted, resolve: isDeleted } = Promise.withResolvers<void>()
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
  const deleting = running.db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await tx.deleteFrom('inbox_messages').where('id', '=', messageId).execute()
    isDeleted()
    await committed
  })
  await deleted
  const replying = ann.browser.post('/api/inbox/reply', { inboxId, messageId, text: 'Yes' })
  await until('the reply waits for the row', isWaited)
  commit()
  await deleting
  const answer = await replying
  expect([answer.status, answer.text]).toEqual([
    409,
    'This message has just been deleted, so your reply was not sent',
  ])
  expect((await ann.browser.get('/api/email-history')).json()).toEqual([])
  expect((await ann.browser.post('/api/inbox/reply', { inboxId, messageId, text: 'Yes' })).status).toBe(404)
})

it('somebody fetches four files at a time; the next is refused until one of them is done', {
  tags: 'thorough',
}, async () => {
  // More than the buffers between the two sides take.
  const file = Buffer.alloc(12_000_000, 'x').toString('base64').replace(/.{76}/g, '$&\n')
  const headers = {
    Subject: 'Large',
    'Content-Type': 'application/x-any',
    'Content-Disposition': 'attachment; filename="large.bin"',
    'Content-Transfer-Encoding': 'base64',
  }
  await deliver(port, ann.address, aMail(headers, file))
  await received(running, ann)
  const item = (await list(ann.browser)).find(({ subject }) => subject === 'Large')
  if (!item) throw new Error('no mail')
  const url = `${await originOf(running)}${pathOf(item)}/attachments/0`
  const cookie = [...ann.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  /** Reads nothing of it. */
  const fetchFile = async (): Promise<IncomingMessage> => {
    const [answer] = (await once(get(url, { headers: { cookie } }), 'response')) as [IncomingMessage]
    return answer.on('error', () => {})
  }
  const four = await Promise.all([1, 2, 3, 4].map(fetchFile))
  expect(four.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const fifth = await fetchFile()
  expect(fifth.statusCode).toBe(429)
  expect(String(await once(fifth, 'data'))).toBe(
    'Too many files are being fetched at the same time; please wait for some',
  )
  // Whoever else fetches something does not wait for them.
  expect((await ann.browser.get(pathOf(item))).status).toBe(200)
  four[0]?.destroy()
  await until('another one is let through', async () => {
    const next = await fetchFile()
    next.destroy()
    return next.statusCode === 200
  })
  for (const answer of four) answer.destroy()
})
