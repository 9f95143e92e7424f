import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InboxItem, NEXT_CURSOR_HEADER } from '../../contract/inbox.ts'
import { aMail, anOwner, deliver, INBOX_ENV, list, type Owner, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { lexemesOf } from './words.ts'

let running: RunningApp
let port: number
let ann: Owner
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  ann = await anOwner(running)
  const html = { 'Content-Type': 'text/html; charset=utf-8' }
  await deliver(
    port,
    ann.address,
    aMail({ Subject: 'Invoice 2026-17', From: 'Zoë <zoe@firm.test>' }, 'It is due soon.'),
  )
  await deliver(port, ann.address, aMail({ Subject: 'Lunch' }, 'Invite everybody. Grüße aus 東京都'))
  await deliver(
    port,
    ann.address,
    aMail({ Subject: 'Page', ...html }, '<p class="hidden-word">Only <b>markup</b> here</p>'),
  )
  const both = [
    ...['--x', 'Content-Type: text/plain', '', 'View this mail in your browser'],
    ...['--x', 'Content-Type: text/html', '', '<p>Our <b>tulips</b> are here</p>', '--x--'],
  ]
  await deliver(
    port,
    ann.address,
    aMail({ Subject: 'Both ways', 'Content-Type': 'multipart/alternative; boundary=x' }, both.join('\n')),
  )
  await received(running, ann)
})
afterAll(() => running[Symbol.asyncDispose]())

const find = async (q: string, who = ann): Promise<string[]> =>
  (await list(who.browser, `?q=${encodeURIComponent(q)}`)).map(({ subject }) => subject).sort()

describe('a search', () => {
  it.each([
    ['invoice', ['Invoice 2026-17']],
    ['INV', ['Invoice 2026-17', 'Lunch']],
    ['zoe', ['Invoice 2026-17']],
    ['ZOË@firm.t', ['Invoice 2026-17']],
    ['due invoice', ['Invoice 2026-17']],
    ['due lunch', []],
    ['2026-17', ['Invoice 2026-17']],
    ['grusse', []],
    ['gruße', ['Lunch']],
    ['京都', ['Lunch']],
    ['東', ['Lunch']],
    ['markup', ['Page']],
    ['hidden', []],
    // Some newsletters say next to nothing in their text.
    ['browser', ['Both ways']],
    ['tulips', ['Both ways']],
    ['nowhere', []],
    // The beginning of a word, in the last place only.
    ['inv soon', []],
    ["invoice' | 'lunch", []],
    ['invoice | lunch', []],
    ['!invoice', ['Invoice 2026-17']],
    ['lun:*', ['Lunch']],
    ["'", []],
    ['\\', []],
    ['%', []],
    ['   ', ['Both ways', 'Invoice 2026-17', 'Lunch', 'Page']],
  ])('for %j', async (q, expected) => {
    expect(await find(q)).toEqual(expected)
  })

  it('finds nothing of others', async () => {
    const eve = await anOwner(running)
    await deliver(port, eve.address, aMail({ Subject: 'Her invoice' }))
    await received(running, eve)
    expect(await find('invoice')).toEqual(['Invoice 2026-17'])
    expect(await find('invoice', eve)).toEqual(['Her invoice'])
  })

  it('looks into the folder that is open', async () => {
    expect(await list(ann.browser, '?q=invoice&folder=archived')).toEqual([])
  })

  it('takes no text that is too long, or that no database takes', async () => {
    expect((await ann.browser.get(`/api/inbox/list?q=${'x'.repeat(201)}`)).status).toBe(400)
    expect((await ann.browser.get('/api/inbox/list?q=%00')).status).toBe(400)
  })
})

describe('a search in an inbox with very many', () => {
  const COUNT = 12_000
  let bob: Owner
  beforeAll(async () => {
    bob = await anOwner(running)
    // Over six weeks: what is found goes on from one to the next.
    const now = Date.now()
    const words = (n: number): string =>
      lexemesOf({ userId: bob.userId, receivedAt: new Date(now - n * 300_000) }, [
        `number ${n === 7_000 ? 'needle' : ''} ${n > 6_000 ? 'old' : ''} ${n % 100 === 0 ? 'hundredth' : ''}`,
      ]).join(' ')
    const numbers = Array.from({ length: COUNT }, (_, n) => n)
    await sql`
      insert into inbox_messages (id, conversation_id, inbox_id, user_id, identity, envelope_from, envelope_to, state,
        received_at, subject, search)
      select m.id, m.id, i.id, i.user_id, n::text::bytea, '', '', 'r', ${new Date(now)}::timestamptz - n * interval '5 minutes', 'Number ' || n,
        array_to_tsvector(string_to_array(words, ' '))
      from (select gen_random_uuid() as id, n, words from unnest(${numbers}::integer[], ${numbers.map(words)}::text[])
        as m (n, words)) m, inboxes i where i.user_id = ${bob.userId}`.execute(running.db)
  })

  /** Page by page, as somebody would turn them. */
  async function turn(q: string, pages: number): Promise<number[]> {
    const found: number[] = []
    let cursor = ''
    for (let page = 0; page < pages; page += 1) {
      const answer = await bob.browser.get(`/api/inbox/list?limit=50&q=${q}${cursor}`)
      const items = answer.json() as InboxItem[]
      found.push(...items.map(({ subject }) => Number(subject.slice(7))))
      const next = answer.headers[NEXT_CURSOR_HEADER]
      if (next === undefined) return found
      expect(items.length).toBeGreaterThan(0)
      cursor = `&cursor=${next}`
    }
    return found
  }
  const expected = (fits: (n: number) => boolean): number[] =>
    Array.from({ length: COUNT }, (_, n) => n).filter(fits)

  it.each([
    ['needle', (n: number) => n === 7_000],
    ['hundredth', (n: number) => n % 100 === 0],
    ['hundredth+old', (n: number) => n % 100 === 0 && n > 6_000],
    ['old+n', (n: number) => n > 6_000],
    ['nowhere', () => false],
  ])('for %s finds all, newest first, each once', async (q, fits) => {
    const found = await turn(q, 6)
    expect(found).toEqual(expected(fits).slice(0, found.length < 300 ? undefined : 300))
  })

  it('finds the newest of those that are in all', async () => {
    const items = await list(bob.browser, '?q=num')
    expect(items.map(({ subject }) => subject)).toEqual(expected((n) => n < 50).map((n) => `Number ${n}`))
  })
})
