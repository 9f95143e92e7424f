import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { finished, listHistory, recipients, send, walkHistory } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())

const subjects = (entries: readonly HistoryEntry[]): string[] => entries.map(({ subject }) => subject)

describe('an entry', () => {
  it('has the fields of the contract and no other', async () => {
    const { browser } = await aUser(running)
    const sent = { recipients: ['Bob <bob@example.test>'], senderName: 'Ann', replyTo: 'ann@example.test' }
    const { id } = await send(browser, { ...sent, subject: 'News', body: 'Line 1\nLine 2' })
    await finished(browser, id)
    const [entry] = (await listHistory(browser)).entries
    expect(entry).toEqual({
      id,
      subject: 'News',
      recipients: ['bob@example.test'],
      recipientCount: 1,
      body: 'Line 1\nLine 2',
      senderName: 'Ann',
      replyTo: 'ann@example.test',
      sentDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      round: 1,
      status: 'sent',
      successfulCount: 1,
      unconfirmedCount: 0,
      deliveredCount: expect.any(Number),
      isDeliveryPresumed: false,
      isRestored: false,
      bouncedCount: 0,
      complainedCount: 0,
      openedCount: 0,
      machineOpenedCount: 0,
      unsubscribedCount: 0,
      counts: { queued: 0, inFlight: 0, accepted: 1, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 },
      state: 'done',
      pausedReason: null,
      resumesItself: false,
    })
    expect(Math.abs(Date.now() - Date.parse(entry?.sentDate ?? ''))).toBeLessThan(60_000)
    const answer = await browser.get(`/api/email-history/${id}`)
    expect(answer.json()).toEqual({
      ...entry,
      fromAddress: 'mail@postrider.localhost',
      replies: { all: 0, automatic: 0 },
    })
  })

  it('names a hundred recipients at most and always says how many there are', async () => {
    const { browser } = await aUser(running)
    const { id } = await send(browser, { recipients: recipients(250) })
    await finished(browser, id)
    const [entry] = (await listHistory(browser)).entries
    expect(entry?.recipients).toEqual(recipients(100))
    expect(entry?.recipientCount).toBe(250)
  })
})

describe('the list', () => {
  let ann: SignedIn
  beforeAll(async () => {
    ann = await aUser(running)
    for (let number = 1; number <= 7; number++)
      await send(ann.browser, { subject: `Letter ${number}`, recipients: [`r${number}@example.test`] })
    // Three at the very same moment: the order between them must still be one.
    const { created_at } = await running.db
      .selectFrom('campaigns')
      .select('created_at')
      .where('subject', '=', 'Letter 4')
      .executeTakeFirstOrThrow()
    await running.db
      .updateTable('campaigns')
      .set({ created_at })
      .where('user_id', '=', ann.userId)
      .where('subject', 'in', ['Letter 3', 'Letter 4', 'Letter 5'])
      .execute()
    await running.settled()
  })

  it('is the newest first', async () => {
    const shown = subjects((await listHistory(ann.browser)).entries)
    expect([shown.slice(0, 2), shown.slice(2, 5).sort(), shown.slice(5)]).toEqual([
      ['Letter 7', 'Letter 6'],
      ['Letter 3', 'Letter 4', 'Letter 5'],
      ['Letter 2', 'Letter 1'],
    ])
  })

  it.each([1, 2, 3, 4, 7])('of %i a page shows each once and leaves none out', async (limit) => {
    const whole = subjects((await listHistory(ann.browser)).entries)
    const pages = await walkHistory(ann.browser, `limit=${limit}`)
    expect(pages.flatMap(subjects)).toEqual(whole)
    expect(pages.every((page) => page.length <= limit && page.length > 0)).toBe(true)
    expect(pages).toHaveLength(Math.ceil(7 / limit))
  })

  it('stays in place while new letters are sent', async () => {
    const eve = await aUser(running)
    for (const subject of ['1', '2', '3']) await send(eve.browser, { subject })
    const first = await listHistory(eve.browser, '?limit=2')
    await send(eve.browser, { subject: '4' })
    const second = await listHistory(eve.browser, `?limit=2&cursor=${first.next}`)
    expect([...subjects(first.entries), ...subjects(second.entries)]).toEqual(['3', '2', '1'])
  })

  it('is searched by any part of a subject and by the beginning of an address', async () => {
    const found = async (q: string) =>
      subjects((await listHistory(ann.browser, `?q=${encodeURIComponent(q)}`)).entries).sort()
    expect(await found('tter 2')).toEqual(['Letter 2'])
    expect(await found('LETTER 6')).toEqual(['Letter 6'])
    expect(await found('r5@exam')).toEqual(['Letter 5'])
    expect(await found(' R5@Example.test ')).toEqual(['Letter 5'])
    expect(await found('example.test')).toEqual([])
    expect(await found('')).toHaveLength(7)
    // Signs that mean something to a database mean nothing here.
    for (const q of ['%', '_', "'", '\\', "' or 1=1 --", '\ud83d\ude00']) expect(await found(q)).toEqual([])
  })

  it('is filtered by status', async () => {
    expect((await listHistory(ann.browser, '?status=sent')).entries).toHaveLength(7)
    expect((await listHistory(ann.browser, '?status=failed')).entries).toEqual([])
    expect((await listHistory(ann.browser, '?status=pending&q=Letter')).entries).toEqual([])
    expect((await walkHistory(ann.browser, 'status=sent&limit=2&q=letter')).flat()).toHaveLength(7)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'status=unknown',
    'cursor=x',
    'cursor=1_x',
    "cursor=1'_00000000-0000-4000-8000-000000000000",
    'sort=subject',
    'q=%00',
    'limit=1&limit=2',
    `q=${'x'.repeat(201)}`,
  ])('refuses %s in one sentence', async (query) => {
    const answer = await ann.browser.get(`/api/email-history?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z].{10,}$/)
  })

  it('shows nobody what others have sent', async () => {
    const { browser } = await aUser(running)
    expect((await listHistory(browser)).entries).toEqual([])
    expect((await listHistory(browser, '?q=Letter')).entries).toEqual([])
  })

  it('ends a page early rather than be megabytes long, and still shows all', async () => {
    const { browser } = await aUser(running)
    for (const subject of ['a', 'b', 'c', 'd', 'e'])
      await send(browser, { subject, body: 'ä'.repeat(40_000) })
    const pages = await walkHistory(browser, 'limit=100')
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(subjects)).toEqual(['e', 'd', 'c', 'b', 'a'])
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(100_000)
  })

  it('keeps within 100 KB with letters of any size and signs that JSON writes at length, and still shows all', {
    tags: 'thorough',
  }, async () => {
    const { browser } = await aUser(running)
    const letters = Array.from({ length: 12 }, (_, index) => ({
      subject: `${index}`,
      body: ['short', '\n"'.repeat(9_000), '\u0001'.repeat(5_000)][index % 3],
      recipients: recipients(index % 2 === 0 ? 1 : 200, 'somebody-with-quite-a-long-name'),
    }))
    for (const letter of letters) await send(browser, letter)
    for (const query of ['limit=100', 'q=somebody', 'limit=5']) {
      const pages = await walkHistory(browser, query)
      expect(pages.flatMap(subjects)).toEqual(letters.map(({ subject }) => subject).reverse())
      for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(100_000)
    }
  })
})

describe('the time of sending', () => {
  let ann: SignedIn
  beforeAll(async () => {
    ann = await aUser(running)
    for (const [subject, at] of [
      ['old', '2025-12-31T23:59:59.999Z'],
      ['new year', '2026-01-01T00:00:00Z'],
      ['spring', '2026-04-01T12:00:00Z'],
    ] as const) {
      const { id } = await send(ann.browser, { subject })
      await finished(ann.browser, id)
      const created_at = new Date(at)
      await running.db.updateTable('campaigns').set({ created_at }).where('id', '=', id).execute()
    }
  })
  const found = async (query: string) => subjects((await listHistory(ann.browser, `?${query}`)).entries)

  it('is filtered from a moment on, and up to before another', async () => {
    expect(await found('from=2026-01-01T00:00:00Z')).toEqual(['spring', 'new year'])
    expect(await found('to=2026-01-01T00:00:00Z')).toEqual(['old'])
    expect(await found('from=2026-01-01T00:00:00Z&to=2026-04-01T12:00:00Z')).toEqual(['new year'])
    expect(await found('from=2026-04-01T12:00:00.001Z')).toEqual([])
    // The same moment on a clock in Vienna.
    expect(await found(`to=${encodeURIComponent('2026-01-01T01:00:00+01:00')}`)).toEqual(['old'])
  })

  it('goes together with search, status and pages', async () => {
    expect(await found('from=2026-01-01T00:00:00Z&q=new&status=sent')).toEqual(['new year'])
    expect(await found('to=2026-01-01T00:00:00Z&q=new')).toEqual([])
    const pages = await walkHistory(ann.browser, 'to=2026-04-01T12:00:00Z&limit=1&status=sent')
    expect(pages.map(subjects)).toEqual([['new year'], ['old']])
  })

  it('may lie in any year', async () => {
    expect(await found('from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z')).toHaveLength(3)
    expect(await found('from=9999-12-31T23:59:59Z')).toEqual([])
    expect(await found('from=2026-05-01T00:00:00Z&to=2025-01-01T00:00:00Z')).toEqual([])
  })

  it.each([
    'from=',
    'from=yesterday',
    'from=2026-01-01',
    'from=2026-02-30T00:00:00Z',
    'from=2026-01-01T00:00:00',
    'to=2026-01-01T25:00:00Z',
    'to=-infinity',
    "to=now()'--",
    'to=%00',
    'from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z',
  ])('is refused as %s, in one sentence', async (query) => {
    const answer = await ann.browser.get(`/api/email-history?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z].{10,}$/)
  })
})
