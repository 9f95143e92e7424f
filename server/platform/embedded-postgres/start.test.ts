import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { expectBelow } from '../../test/computing.ts'
import { freePort } from '../../test/free-port.ts'
import { until } from '../../test/until.ts'
import { chooseUser } from './as-user.ts'
import { findBinaries } from './binaries.ts'
import { launch } from './launch.ts'
import { preparePlaces } from './places.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import {
  aDataDir,
  aFolder,
  aPostrider,
  cleanUp,
  FAST,
  killEverything,
  postmasterOf,
  query,
  removeTemplate,
} from './testing.ts'

afterEach(cleanUp)
afterAll(removeTemplate)

async function stopped(holder: ReturnType<typeof aPostrider>): Promise<void> {
  holder.kill('SIGTERM')
  holder.drain()
  await holder.exited
}

describe('starting the embedded PostgreSQL', () => {
  it('makes a database on the first start and finds it again on the second, which is quicker', async () => {
    const dir = join(aFolder(), 'data')
    // Without FAST: this is what an operator waits for.
    const first = aPostrider({ dir, settings: {} })
    const { url, ms } = await first.ready
    await query(url, 'create table kept (id int); insert into kept values (7)')
    await stopped(first)

    await expectBelow(ms, async () => {
      const second = aPostrider({ dir, settings: {} })
      const again = await second.ready
      expect(await query(again.url, 'select id from kept')).toEqual([{ id: 7 }])
      expect(again.url).toBe(url)
      await stopped(second)
      return again.ms
    })
  })

  it('lets nobody in without the password, opens no port, and speaks UTF-8 and UTC whatever the machine does', async () => {
    const dir = await aDataDir()
    const { url } = await aPostrider({ dir }).ready
    expect(statSync(join(dir, 'postgres/password')).mode & 0o777).toBe(0o600)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    const facts = `select current_setting('listen_addresses') as ports, current_setting('timezone') as zone,
      current_setting('server_encoding') as encoding, lower('ÄÉ') as lower, 'a' > 'Z' as by_code,
      (select rolpassword like 'SCRAM-SHA-256$%' from pg_authid where rolname = current_user) as scram`
    expect(await query(url, facts)).toEqual([
      { ports: '', zone: 'UTC', encoding: 'UTF8', lower: 'äé', by_code: true, scram: true },
    ])
  })

  it('listens on a loopback port where the path is too long for a socket, and is adopted there too', async () => {
    const deep = join(aFolder(), 'data', 'd'.repeat(90))
    mkdirSync(deep, { recursive: true })
    const dir = await aDataDir(deep)
    const first = aPostrider({ dir })
    const { url } = await first.ready
    expect(new URL(url).hostname).toBe('127.0.0.1')
    await query(url, 'create table kept (id int)')
    first.kill('SIGKILL')
    await first.exited

    const second = aPostrider({ dir })
    expect((await second.ready).url).toBe(url)
    expect(await query(url, 'select id from kept')).toEqual([])
    await stopped(second)
    expect(await findPostmaster(await preparePlaces(dir))).toBeNull()
  })

  it('takes another port when the one it found was stolen in between', async () => {
    const deep = join(aFolder(), 'd'.repeat(90))
    mkdirSync(deep, { recursive: true })
    const places = await preparePlaces(await aDataDir(deep))
    const binaries = await findBinaries()
    const runAs = await chooseUser(places, binaries, { namespaces: true, helperUser: 'postrider' })
    const thief = createServer()
    const port = await new Promise<number>((resolve) =>
      thief.listen(0, '127.0.0.1', () => resolve(Number(Object(thief.address()).port))),
    )
    const free = await freePort()
    const found = [port, free]
    try {
      const needs = {
        places,
        binaries,
        runAs,
        settings: FAST,
        log: () => undefined,
        warn: () => undefined,
        endpoint: null,
      }
      expect(await launch(needs, async () => found.shift() ?? 0)).toEqual({ host: '127.0.0.1', port: free })
    } finally {
      await stopPostmaster(places, binaries)
      thief.close()
    }
  })

  it('works in a folder with blanks, commas and quotes in its name', async () => {
    const odd = join(aFolder(), `a, "b" $HOME 'ü'`)
    mkdirSync(odd)
    const { url } = await aPostrider({ dir: await aDataDir(odd) }).ready
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('lets the database serve until the application has drained, although Ctrl-C reaches the whole group', async () => {
    const dir = await aDataDir()
    const app = aPostrider({ dir })
    const { url } = await app.ready
    const postmaster = await postmasterOf(dir)
    process.kill(-app.pid, 'SIGINT')
    await app.said((line) => line.signal === 'SIGINT')
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await postmasterOf(dir)).toBe(postmaster)
    app.drain()
    await app.said((line) => line.stopped === true)
    expect(await findPostmaster(await preparePlaces(dir))).toBeNull()
    expect(readFileSync(join(dir, 'postgres.log'), 'utf8')).toContain('database system is shut down')
  })

  it('starts a new log once the old one has grown past 10 MB', async () => {
    const dir = await aDataDir()
    writeFileSync(join(dir, 'postgres.log'), 'x'.repeat(10 * 1024 * 1024 + 1))
    await aPostrider({ dir }).ready
    expect(statSync(join(dir, 'postgres.log')).size).toBeLessThan(10_000)
    expect(statSync(join(dir, 'postgres.log.1')).size).toBeGreaterThan(10 * 1024 * 1024)
  })
})

describe('two starts on one DATA_DIR', () => {
  it('lets one run and tells the other in one sentence who does', async () => {
    const dir = join(aFolder(), 'data')
    const both = [aPostrider({ dir }), aPostrider({ dir })]
    const outcomes = await Promise.all(
      both.map((app) => app.said((line) => Boolean(line.ready ?? line.error))),
    )
    const winner = both.find((_, index) => outcomes[index]?.ready)
    expect(outcomes.filter((line) => line.ready)).toHaveLength(1)
    expect(outcomes.find((line) => line.error)?.error).toEqual({
      name: 'AlreadyRunningError',
      message: `Postrider is already running with DATA_DIR ${dir} (process ${winner?.pid}). Stop it first, or set another DATA_DIR.`,
    })
  })

  it('leaves the first one and its database alone', async () => {
    const dir = await aDataDir()
    const first = aPostrider({ dir })
    const { url } = await first.ready
    const postmaster = await postmasterOf(dir)
    const second = aPostrider({ dir })
    expect((await second.refusal).name).toBe('AlreadyRunningError')
    await second.exited
    expect(await postmasterOf(dir)).toBe(postmaster)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(join(dir, 'postgres.lock'))).toBe(false)
  })

  it('finds the same database under another name of the folder', async () => {
    const dir = await aDataDir()
    symlinkSync(dir, `${dir}-link`)
    await aPostrider({ dir }).ready
    expect((await aPostrider({ dir: `${dir}-link` }).refusal).name).toBe('AlreadyRunningError')
  })

  it('does not mistake the copy of a running DATA_DIR for the original', async () => {
    const folder = aFolder()
    const dir = await aDataDir(folder)
    const first = aPostrider({ dir })
    await first.ready
    const copy = join(folder, 'copy')
    // Sockets cannot be copied; everything else is, the pid file included.
    cpSync(dir, copy, { recursive: true, filter: (path) => !statSync(path).isSocket() })
    const second = aPostrider({ dir: copy })
    await second.ready
    expect(await postmasterOf(copy)).not.toBe(await postmasterOf(dir))
  })
})

const scratchIn = (dir: string) =>
  (existsSync(dir) ? readdirSync(dir) : []).find((name) => name.startsWith('postgres.new-'))

/** The folder of a start that was killed, with all its processes, while initdb was at work. */
async function aHalfMadeFolder(): Promise<string> {
  for (;;) {
    const dir = join(aFolder(), 'data')
    const doomed = aPostrider({ dir })
    await until('initdb is at work', () => {
      const name = scratchIn(dir)
      return (
        existsSync(join(dir, 'postgres')) ||
        (name !== undefined && existsSync(join(dir, name, 'data/base/1')))
      )
    })
    process.kill(-doomed.pid, 'SIGKILL')
    await doomed.exited
    // Else it was seen too late: a machine may stand still for longer than initdb takes.
    if (!existsSync(join(dir, 'postgres'))) return dir
    const whole = aPostrider({ dir })
    await whole.ready
    await killEverything(whole, dir)
  }
}

describe('a first start that dies half-way', () => {
  it('is redone from the beginning', async () => {
    const dir = await aHalfMadeFolder()
    expect(existsSync(join(dir, 'postgres.lock'))).toBe(true)

    const next = aPostrider({ dir })
    const { url } = await next.ready
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(scratchIn(dir)).toBeUndefined()
    await killEverything(next, dir)
  })
})
