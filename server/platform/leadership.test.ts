import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { aWayTo } from '../test/database-way.ts'
import { until } from '../test/until.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { createLeadership } from './leadership.ts'
import { createLog } from './log.ts'

/** One of its own, that is reached by TCP: over a socket in a folder nobody is ever gone without a word. */
let folder: string
let postgres: EmbeddedPostgres
let observer: pg.Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-leadership-'))
  // The path is too long for such a socket.
  const dir = join(folder, 'd'.repeat(90))
  await mkdir(dir)
  postgres = await startEmbeddedPostgres({ dir, settings: { fsync: 'off' } })
  observer = new pg.Client({ connectionString: postgres.url })
  await observer.connect()
  await observer.query(NOTE_WHO_LOCKS)
})
afterAll(async () => {
  await observer.end()
  await postgres.stop()
  await rm(folder, { recursive: true })
})
const opened = closedAfterEach()

/** The settings of a session are known to itself alone: whoever takes a lock here writes down its own. */
const NOTE_WHO_LOCKS = `
  create table locked (is_ours boolean, idle text, pause text, tries text);
  create schema noting;
  create function noting.pg_try_advisory_lock(key bigint) returns boolean language sql as $$
    insert into public.locked
      select pg_catalog.pg_try_advisory_lock(key), current_setting('tcp_keepalives_idle'),
        current_setting('tcp_keepalives_interval'), current_setting('tcp_keepalives_count')
      returning is_ours $$;
  do $$ begin
    execute format('alter database %I set search_path = noting, pg_catalog, public', current_database());
  end $$`

/** A process that competes, until the test is over or it is told to stop. */
function aCandidate(url = postgres.url) {
  let terms = 0
  let isLeading = false
  const keepAlives: { lastCall?: unknown[] | undefined }[] = []
  const socket = () => {
    const made = new Socket()
    keepAlives.push(vi.spyOn(made, 'setKeepAlive').mock)
    return made
  }
  const leadership = createLeadership({
    url,
    lines: { socket, watch() {}, stop() {} },
    log: createLog('silent'),
    name: 'test',
  })
  leadership.lead(async (signal) => {
    terms += 1
    isLeading = true
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    isLeading = false
  })
  opened({ close: leadership.stop })
  return { terms: () => terms, isLeading: () => isLeading, keepAlives, stop: leadership.stop }
}

it('lets PostgreSQL notice within half a minute that the host of the leader is gone', async () => {
  const first = aCandidate()
  await until('somebody leads', first.isLeading)
  const { rows } = await observer.query('select idle, pause, tries from public.locked where is_ours')
  expect(rows).toEqual([{ idle: '10', pause: '5', tries: '3' }])
})

it('lets a leader that is cut off notice it before PostgreSQL does, so that there are never two', async () => {
  const first = aCandidate()
  await until('somebody leads', first.isLeading)
  const PROBES_OF_NODE_MS = 10_000
  const UNTIL_POSTGRES_FREES_IT_MS = 25_000
  const [isOn, silenceMs] = first.keepAlives[0]?.lastCall ?? []
  expect(isOn).toBe(true)
  // 0 would leave it at what the system has, which is two hours.
  expect(silenceMs).toBeGreaterThan(0)
  expect(Number(silenceMs) + PROBES_OF_NODE_MS).toBeLessThan(UNTIL_POSTGRES_FREES_IT_MS)
})

it('has one leader at a time, and another as soon as that one is gone', async () => {
  await using way = await aWayTo(postgres.url)
  const first = aCandidate(way.url(postgres.url))
  await until('the first leads', first.isLeading)
  await observer.query('delete from public.locked')
  const second = aCandidate()
  await until('the second has tried', async () => {
    const { rows } = await observer.query('select from public.locked where not is_ours')
    return rows.length > 0
  })
  expect([first.isLeading(), second.isLeading()]).toEqual([true, false])

  way.behave('refuse')
  await until('the second leads', second.isLeading)
  expect(first.isLeading()).toBe(false)
  // The first comes back, and finds the place taken.
  await observer.query('delete from public.locked')
  way.behave('pass')
  await until('the first has tried', async () => {
    const { rows } = await observer.query('select from public.locked where not is_ours')
    return rows.length > 0
  })
  expect([first.terms(), first.isLeading(), second.isLeading()]).toEqual([1, false, true])

  await second.stop()
  await until('the first leads again', first.isLeading)
  await first.stop()
})
