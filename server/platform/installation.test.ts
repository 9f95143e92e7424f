import { execFileSync } from 'node:child_process'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { type Database, isDatabaseAway, openDatabase } from './database.ts'
import { filesMark } from './embedded-postgres/files-mark.ts'
import {
  aDataDir,
  aPostrider,
  areBirthsTold,
  cleanUp,
  FAST,
  killEverything,
  query,
  removeTemplate,
} from './embedded-postgres/testing.ts'
import { isWhereItWas, noticeRestore } from './installation.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

afterEach(cleanUp)
afterAll(removeTemplate)

const log = createLog('silent')
const isNoticed = (db: Database, mark: string | null = null) => noticeRestore(db, mark, async () => {})

/** As one that others follow; and a checkpoint takes its time, as on a large database. */
const FOLLOWED = { ...FAST, wal_level: 'replica', max_wal_senders: '1', checkpoint_timeout: '1h' }

async function inDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, log)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Starts the database in these files, asks, and stops it. */
async function areNoticed(dir: string, marks: (string | null)[] | 'twice' = 'twice'): Promise<boolean[]> {
  const running = aPostrider({ dir })
  const { url } = await running.ready
  await migrate(url, log)
  const mark = await filesMark(dir)
  const answers: boolean[] = []
  await inDatabase(url, async (db) => {
    for (const each of marks === 'twice' ? [mark, mark] : marks) answers.push(await isNoticed(db, each))
  })
  running.kill('SIGTERM')
  running.drain()
  await running.exited
  return answers
}

const copied = (from: string, to: string): string => {
  execFileSync('cp', ['-a', from, to])
  return to
}

it.runIf(areBirthsTold)(
  'a copy of the files that is put back is known as one, once; files that were moved are not',
  { tags: 'thorough' },
  async () => {
    const dir = await aDataDir()
    expect(await areNoticed(dir)).toEqual([false, false])
    const copy = copied(dir, `${dir}.bak`)
    expect(await areNoticed(dir), 'the original after a restart').toEqual([false, false])
    await rename(dir, `${dir}.old`)
    expect(await areNoticed(`${dir}.old`), 'the original under another name').toEqual([false, false])
    await rename(copy, dir)
    expect(await areNoticed(dir), 'the copy in its place').toEqual([true, false])
    expect(await areNoticed(dir), 'the copy after a restart').toEqual([false, false])
  },
)

it.runIf(areBirthsTold)(
  'files that had no mark yet get theirs silently, and keep it where none can be read',
  { tags: 'thorough' },
  async () => {
    const dir = await aDataDir()
    expect(await areNoticed(dir, [null, null])).toEqual([false, false])
    expect(await areNoticed(dir), 'marked').toEqual([false, false])
    expect(await areNoticed(dir, [null]), 'as where nobody tells the mark').toEqual([false])
    expect(await areNoticed(copied(dir, `${dir}.bak`)), 'a copy of what was marked').toEqual([true, false])
  },
)

it.runIf(areBirthsTold)(
  'files put back over newer ones by what replaces those that differ are known as a copy',
  { tags: 'thorough' },
  async () => {
    const dir = await aDataDir()
    await areNoticed(dir)
    execFileSync('tar', ['-C', dir, '-cf', `${dir}.tar`, '.'])
    expect(await areNoticed(dir)).toEqual([false, false])
    execFileSync('tar', ['-C', dir, '-xf', `${dir}.tar`])
    expect(await areNoticed(dir)).toEqual([true, false])
  },
)

it('a standby that was promoted is known as a copy at once, before its first checkpoint', {
  tags: 'thorough',
}, async () => {
  const dir = await aDataDir()
  const original = aPostrider({ dir, settings: FOLLOWED })
  const { url } = await original.ready
  await migrate(url, log)
  await inDatabase(url, async (db) => {
    expect([await isNoticed(db), await isNoticed(db)]).toEqual([false, false])
    await sql`checkpoint`.execute(db)
    await sql`create table much as select repeat('x', 1000) from generate_series(1, 20000)`.execute(db)
  })
  await killEverything(original, dir)
  await writeFile(join(dir, 'postgres', 'data', 'standby.signal'), '')
  const standby = aPostrider({ dir, settings: FOLLOWED })
  await until('the standby answers, and nothing is asked of it yet', () =>
    inDatabase(url, isWhereItWas).then(
      () => false,
      (error) => isDatabaseAway(error) && String(error).includes('is a standby'),
    ),
  )
  await until('it is promoted', () =>
    query(url, 'select pg_promote()').then(
      () => true,
      () => false,
    ),
  )
  await standby.ready
  const [checkpoint] = await query(url, 'select timeline_id from pg_control_checkpoint()')
  expect(checkpoint, 'the checkpoint is still under way').toEqual({ timeline_id: 1 })
  await inDatabase(url, async (db) => {
    expect(await isWhereItWas(db)).toBe(false)
    expect([await isNoticed(db), await isNoticed(db)]).toEqual([true, false])
    expect(await isWhereItWas(db)).toBe(true)
    await sql`checkpoint`.execute(db)
    expect(await isNoticed(db), 'after the checkpoint it is still the same').toBe(false)
  })
})

it('a database whose log tells nobody its timeline is known by its checkpoints', async () => {
  await using database = await freshDatabase()
  // As some managed ones do, and whoever withdraws the right.
  await sql`create schema managed`.execute(database.db)
  await sql`create function managed.pg_current_wal_lsn() returns pg_lsn language plpgsql as
    $$ begin raise 'wal_level must be set to ''logical''' using errcode = '55000'; end $$`.execute(
    database.db,
  )
  await sql`alter role current_user in database ${sql.id(await nameOf(database.db))}
    set search_path = managed, pg_catalog, public`.execute(database.db)
  expect([await isNoticed(database.db)]).toEqual([false])
  await inDatabase(database.url, async (db) => {
    await expect(sql`select pg_current_wal_lsn()`.execute(db)).rejects.toThrow('wal_level')
    expect(await isNoticed(db)).toBe(false)
  })
})

async function nameOf(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return rows[0]?.name ?? ''
}
