import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { until } from '../../test/until.ts'
import { preparePlaces } from './places.ts'
import { findPostmaster } from './postmaster.ts'
import { birthOf, isAlive } from './processes.ts'
import {
  aDataDir,
  aPostrider,
  cleanUp,
  killEverything,
  postmasterOf,
  query,
  removeTemplate,
} from './testing.ts'

const bystanders: ChildProcess[] = []
afterEach(async () => {
  for (const bystander of bystanders.splice(0)) bystander.kill('SIGKILL')
  await cleanUp()
})
afterAll(removeTemplate)

/** Some other program of the same user, which must come to no harm. */
function aBystander(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  bystanders.push(child)
  return child.pid ?? 0
}

describe('after kill -9', () => {
  it('of the application, its PostgreSQL lives on and the next start adopts it', async () => {
    const dir = await aDataDir()
    const first = aPostrider({ dir })
    const { url } = await first.ready
    await query(url, 'create table kept (id int); insert into kept values (7)')
    const postmaster = await postmasterOf(dir)
    first.kill('SIGKILL')
    await first.exited
    expect(await isAlive(postmaster)).toBe(true)

    const second = aPostrider({ dir })
    expect((await second.ready).url).toBe(url)
    expect(await postmasterOf(dir)).toBe(postmaster)
    expect(await query(url, 'select id from kept')).toEqual([{ id: 7 }])
    expect((await aPostrider({ dir }).refusal).message).toContain(`(process ${second.pid})`)

    second.kill('SIGTERM')
    second.drain()
    await second.said((line) => line.stopped === true)
    expect(await isAlive(postmaster)).toBe(false)
  })

  it('of everything, what was committed is there again within seconds', async () => {
    const dir = await aDataDir()
    // With fsync, as in production.
    const first = aPostrider({ dir, settings: {} })
    const { url } = await first.ready
    await query(url, 'create table kept (id int); insert into kept select generate_series(1, 20000)')
    await killEverything(first, dir)
    expect(existsSync(join(dir, 'postgres/data/postmaster.pid'))).toBe(true)

    const second = await aPostrider({ dir, settings: {} }).ready
    expect(await query(second.url, 'select count(*)::int from kept')).toEqual([{ count: 20000 }])
    expect(second.ms).toBeLessThan(10_000)
    expect(readFileSync(join(dir, 'postgres.log'), 'utf8')).toContain('automatic recovery in progress')
  })

  it('of everything but a backend that does not notice, it is ended and the start goes on', async () => {
    const dir = await aDataDir()
    const first = aPostrider({ dir })
    const { url } = await first.ready
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const backend = rows[0]?.pid ?? 0
    // Frozen, it cannot see that its postmaster is gone, and keeps the shared memory.
    process.kill(backend, 'SIGSTOP')
    await killEverything(first, dir)
    expect(await isAlive(backend)).toBe(true)

    const second = await aPostrider({ dir }).ready
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await isAlive(backend)).toBe(false)
    await client.end().catch(() => undefined)
  })

  it('a process that now has the number of the dead postmaster neither blocks the start nor is touched', async () => {
    const dir = await aDataDir()
    const first = aPostrider({ dir })
    await first.ready
    await killEverything(first, dir)
    const bystander = aBystander()
    for (const file of ['postgres/data/postmaster.pid', 'postgres/.s.PGSQL.5432.lock']) {
      const path = join(dir, file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(bystander)))
    }
    const second = await aPostrider({ dir }).ready
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await isAlive(bystander)).toBe(true)
  })

  it('or a power cut that left the pid file empty, it starts', async () => {
    const dir = await aDataDir()
    writeFileSync(join(dir, 'postgres/data/postmaster.pid'), '')
    expect((await aPostrider({ dir }).ready).url).toContain('postgres://')
  })

  it('a start lock is void when its process is gone, or is a later one with the same number', async () => {
    const dir = await aDataDir()
    const lock = join(dir, 'postgres.lock')
    writeFileSync(lock, JSON.stringify({ pid: aBystander(), birth: 'before the last boot', token: 'x' }))
    await aPostrider({ dir }).ready
    expect(existsSync(lock)).toBe(false)
  })

  it('a start lock that cannot be read stops the start instead of keeping it for ever', async () => {
    const dir = await aDataDir()
    mkdirSync(join(dir, 'postgres.lock'))
    await expect(aPostrider({ dir }).ready).rejects.toThrow()
  })

  it('a start lock holds as long as its process lives, and no longer', async () => {
    const dir = await aDataDir()
    const bystander = aBystander()
    const lock = join(dir, 'postgres.lock')
    const content = JSON.stringify({ pid: bystander, birth: await birthOf(bystander), token: 'x' })
    writeFileSync(lock, content)
    // Each try is a draft of its own, there for a moment only.
    const drafts = new Set<string>()
    const watcher = watch(dir, (_, name) => {
      if (name?.startsWith('postgres.lock.')) drafts.add(name)
    })
    const app = aPostrider({ dir })
    await until('the start has knocked several times', () => drafts.size > 2)
    watcher.close()
    expect(readFileSync(lock, 'utf8')).toBe(content)
    expect(app.lines).toEqual([])
    process.kill(bystander, 'SIGKILL')
    await app.ready
  })
})

describe('while the application lives', () => {
  it('a killed PostgreSQL comes back at the same address, and the application stays the only one', async () => {
    const dir = await aDataDir()
    const app = aPostrider({ dir })
    const { url } = await app.ready
    const postmaster = await postmasterOf(dir)
    process.kill(postmaster, 'SIGKILL')
    await app.said((line) => line.log === 'PostgreSQL is back')
    expect(await postmasterOf(dir)).not.toBe(postmaster)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await aPostrider({ dir }).refusal).message).toContain(`(process ${app.pid})`)
  })

  it('a stop in the middle of bringing PostgreSQL back ends both', async () => {
    const dir = await aDataDir()
    const app = aPostrider({ dir })
    await app.ready
    process.kill(await postmasterOf(dir), 'SIGKILL')
    await app.said((line) => line.log?.startsWith('The connection to PostgreSQL broke') === true)
    app.kill('SIGTERM')
    app.drain()
    await app.said((line) => line.stopped === true)
    expect(await findPostmaster(await preparePlaces(dir))).toBeNull()
  })

  it('a crash of a backend, which restarts them all, costs it the lock only for a moment', async () => {
    const dir = await aDataDir()
    const app = aPostrider({ dir })
    const { url } = await app.ready
    const postmaster = await postmasterOf(dir)
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
    await app.said((line) => line.log === 'PostgreSQL is back')
    expect(await postmasterOf(dir)).toBe(postmaster)
    expect((await aPostrider({ dir }).refusal).message).toContain(`(process ${app.pid})`)
  })
})
