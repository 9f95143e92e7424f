import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { InboxItem } from '../../contract/inbox.ts'
import { createMailReader } from '../mail-reading/mail-reader.ts'
import { createLog } from '../platform/log.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aWayTo } from '../test/database-way.ts'
import { watch } from '../test/event-stream.ts'
import {
  allRead,
  aMail,
  anOwner,
  deliver,
  INBOX_ENV,
  list,
  open,
  pathOf,
  received,
  write,
} from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { mailIn } from '../test/smtp-conversation.ts'
import { until } from '../test/until.ts'
import { createReading } from './read-mail.ts'

let database: TestDatabase
let running: RunningApp
let port: number
beforeAll(async () => {
  database = await freshDatabase()
  running = await aRunningApp(INBOX_ENV, { database })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('a mail to somebody’s inbox', () => {
  it('is there at once, and open pages are told of it', async () => {
    const ann = await anOwner(running)
    const page = await watch(running, ann.browser)
    await deliver(port, ann.address, aMail({ Subject: 'A question', To: ann.address }))
    await page.next('the message is told', ({ name }) => name === 'message')
    const [item] = await list(ann.browser)
    expect(item).toMatchObject({
      from: { name: 'Bob Example', email: 'bob@example.com' },
      to: [{ email: ann.address }],
      subject: 'A question',
      preview: 'How are you?',
      isUnread: true,
      folder: 'inbox',
      isAutomatic: false,
      attachmentCount: 0,
      campaign: null,
    })
    expect(page.events.find(({ name }) => name === 'message')?.data).toEqual(item)
    expect(InboxItem.omit({ timestamp: true }).safeParse(item).success).toBe(true)
    page.leave()
  })

  it('is told of to open pages when it is read, archived or deleted, and to nobody else’s', async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    await deliver(port, ann.address, aMail())
    const [item] = await received(running, ann)
    if (!item) throw new Error('no message')
    const [page, hers] = [await watch(running, ann.browser), await watch(running, eve.browser)]
    const told = (what: object) =>
      page.next(
        JSON.stringify(what),
        ({ name, data }) => name === 'message' && isDeepStrictEqual(data, { ...item, ...what }),
      )
    await write(ann.browser, 'PATCH', pathOf(item), { isUnread: false })
    await told({ isUnread: false })
    await write(ann.browser, 'PATCH', pathOf(item), { isArchived: true })
    await told({ isUnread: false, folder: 'archived' })
    expect((await write(eve.browser, 'DELETE', pathOf(item))).status).toBe(404)
    await write(ann.browser, 'DELETE', pathOf(item))
    await page.next('it is gone', ({ data }) =>
      isDeepStrictEqual(data, { messageId: item.messageId, isGone: true }),
    )
    // What comes after it on the same way has overtaken nothing.
    await deliver(port, eve.address, aMail({ Subject: 'For Eve' }))
    await hers.next('her own mail', ({ name }) => name === 'message')
    expect(hers.events).toMatchObject([{ data: { subject: 'For Eve' } }])
    for (const stream of [page, hers]) stream.leave()
  })

  it('is one message when it comes twenty times at once, and once more another way (R29)', async () => {
    const ann = await anOwner(running)
    const mail = aMail()
    await Promise.all(Array.from({ length: 20 }, () => deliver(port, ann.address, mail)))
    await deliver(
      port,
      ann.address,
      `Received: from elsewhere.test\n\tby mx.test\nX-SES-Verdict: PASS\n${mail}\n\n`,
    )
    expect(await received(running, ann)).toHaveLength(1)
    const rows = await running.db
      .selectFrom('inbox_sources')
      .innerJoin('inbox_messages', 'inbox_messages.id', 'inbox_sources.message_id')
      .select('part')
      .where('user_id', '=', ann.userId)
      .execute()
    expect(rows).toEqual([{ part: 0 }])
  })

  it('is another message with the Message-ID of one that is here', async () => {
    const ann = await anOwner(running)
    for (const body of ['first', 'second'])
      await deliver(port, ann.address, aMail({ 'Message-ID': '<same@x.test>' }, body))
    expect((await received(running, ann)).map(({ preview }) => preview).sort()).toEqual(['first', 'second'])
  })

  it('is stored for each inbox that it goes to, once', async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const twice = ann.address.replace('@', '+twice@')
    await deliver(port, [ann.address, eve.address, twice], aMail({ Subject: 'To you both' }))
    for (const who of [ann, eve])
      expect(await received(running, who)).toMatchObject([{ subject: 'To you both' }])
  })

  it('is kept as it came, however large', { tags: 'thorough' }, async () => {
    const ann = await anOwner(running)
    const body = Array.from({ length: 40_000 }, (_, n) => `line ${n} ${'x'.repeat(60)}`).join('\r\n')
    const mail = `${aMail({ Subject: 'Large' }).replaceAll('\n', '\r\n')}${body}\r\n`
    expect(mail.length).toBeGreaterThan(2_500_000)
    await deliver(port, ann.address, mail)
    const [item] = await received(running, ann)
    if (!item) throw new Error('no message')
    expect((await ann.browser.get(`${pathOf(item)}/source`)).text).toBe(`${mail}\r\n`)
  })
})

describe('nothing is lost', () => {
  it('while the database is away: the sender is asked to come again', async () => {
    await using way = await aWayTo(inject('postgres').url)
    await using other = await aRunningApp(
      { ...INBOX_ENV, ROLES: 'inbound' },
      { database, databaseUrl: way.url },
    )
    const otherPort = await other.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await anOwner(running)
    const mail = aMail({ Subject: 'In bad times' })
    way.behave('refuse')
    expect(await mailIn(otherPort, [ann.address], mail, 'bob@example.com')).toMatch(/^451 4\.3\.0 /)
    way.behave('pass')
    await until('the mail is taken', async () =>
      (await mailIn(otherPort, [ann.address], mail, 'bob@example.com')).startsWith('250 '),
    )
    expect(await received(running, ann)).toMatchObject([{ subject: 'In bad times' }])
  })

  it('when nobody is there to read it: it waits, and is read after the next start', {
    tags: 'thorough',
  }, async () => {
    await using own = await freshDatabase()
    await using receiving = await aRunningApp({ ...INBOX_ENV, ROLES: 'web,inbound' }, { database: own })
    const itsPort = await receiving.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await anOwner(receiving)
    await deliver(itsPort, ann.address, aMail({ Subject: 'Patience' }))
    expect(await list(ann.browser)).toEqual([])
    await using _worker = await aRunningApp({ ROLES: 'worker' }, { database: own })
    expect(await received(receiving, ann)).toMatchObject([{ subject: 'Patience', isUnread: true }])
  })

  it('when its job got lost: whoever keeps house reads it', async () => {
    await using own = await freshDatabase()
    await using receiving = await aRunningApp({ ...INBOX_ENV, ROLES: 'web,inbound' }, { database: own })
    const itsPort = await receiving.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await anOwner(receiving)
    await deliver(itsPort, ann.address, aMail({ Subject: 'Forgotten' }))
    await sql`delete from pgboss.job where name = 'read-mail'`.execute(own.db)
    await sql`update inbox_messages set received_at = now() - interval '61 seconds'`.execute(own.db)
    await using _worker = await aRunningApp({ ROLES: 'worker' }, { database: own })
    expect(await received(receiving, ann)).toMatchObject([{ subject: 'Forgotten' }])
  })

  it('when it cannot be read: it is tried again, then its source is shown, with what stands in its first lines', async () => {
    await using own = await freshDatabase()
    await using receiving = await aRunningApp({ ...INBOX_ENV, ROLES: 'web,inbound' }, { database: own })
    const itsPort = await receiving.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await anOwner(receiving)
    const headers = { Subject: '=?utf-8?q?Gr=C3=BC=C3=9Fe?=', From: '"Bob" <bob@example.com>' }
    const mail = aMail(headers, 'a long letter\n'.repeat(400_000))
    await deliver(itsPort, ann.address, mail)
    const reader = createMailReader()
    // Each of its threads ends before it has read anything.
    const kill = (thread: Worker) => void thread.once('message', () => void thread.terminate())
    process.on('worker', kill)
    const read = createReading({ db: own.db, reader, notices: { publish() {} }, log: createLog('silent') })
    const { id } = await own.db.selectFrom('inbox_messages').select('id').executeTakeFirstOrThrow()
    // However long it has waited.
    await sql`update inbox_messages set received_at = now() - interval '1 hour'`.execute(own.db)
    await expect(read(id)).rejects.toThrow('not read whole')
    await read(id)
    process.off('worker', kill)
    await reader.close()
    const [item] = await list(ann.browser)
    if (!item) throw new Error('no message')
    expect(item).toMatchObject({ subject: 'Grüße', from: { name: 'Bob', email: 'bob@example.com' } })
    expect(await open(ann.browser, item)).toMatchObject({
      isReadable: false,
      html: null,
      text: null,
      answersTo: null,
      attachments: [],
    })
    const source = (await ann.browser.get(`${pathOf(item)}/source`)).text
    expect(source.replaceAll('\r\n', '\n')).toBe(`${mail}\n`)
    expect((await ann.browser.get(`${pathOf(item)}/html`)).status).toBe(200)
  })

  it('is looked at twice, and not remembered for ever where others have looked', async () => {
    const ann = await anOwner(running)
    const ids = Array.from({ length: 3 }, () => randomUUID())
    for (const id of ids)
      await sql`insert into inbox_messages (id, conversation_id, inbox_id, user_id, identity, envelope_from, envelope_to)
        select ${id}, ${id}, id, user_id, ${Buffer.from(id)}, '', '' from inboxes where user_id = ${ann.userId}`.execute(
        running.db,
      )
    const reader = { read: () => Promise.resolve(null) }
    const needs = { db: running.db, notices: { publish() {} }, log: createLog('silent') }
    const read = createReading({ ...needs, reader, failuresMax: 2 })
    for (const id of ids) await expect(read(id)).rejects.toThrow('not read whole')
    const [forgotten = '', ...remembered] = ids
    for (const id of remembered) await read(id)
    await expect(read(forgotten)).rejects.toThrow('not read whole')
    await read(forgotten)
    expect(await list(ann.browser)).toHaveLength(3)
  })

  it('by a text that no database takes', async () => {
    const ann = await anOwner(running)
    await deliver(
      port,
      ann.address,
      aMail({ Subject: 'a\0b \ud800', From: '"\0" <bob@example.com>' }, 'one\0two'),
    )
    await deliver(port, ann.address, aMail({ 'Message-ID': '<a\0b@example.com>' }))
    await deliver(port, ann.address, '')
    await deliver(port, ann.address, '\0\0\0')
    await allRead(running)
    expect(await list(ann.browser)).toHaveLength(4)
  })
})
