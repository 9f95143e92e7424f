import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeTables } from '../migrations/describe-tables.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { applyMigrations, isMigrated, MIGRATION_LOCK, migrate, readMigrations } from '../platform/migrate.ts'
import { type AdminAnswer, admin } from '../test/admin.ts'
import { emptyDatabase, freshDatabase } from '../test/database.ts'
import { TEST_KEY } from '../test/running-app.ts'
import { aStoredCampaign, expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { type Header, writeBackup } from './backup-file.ts'
import { openSnapshot } from './snapshot.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

const on = (database: { url: string }) => ({ DATABASE_URL: database.url, SECRET_KEY: TEST_KEY })
const oneSentence = (sentence: RegExp): AdminAnswer => ({
  code: 1,
  out: '',
  err: expect.stringMatching(new RegExp(`^${sentence.source}[^\n]*\n$`)),
})

/** As `backup` writes it, of whatever version. */
async function aBackup(url: string, file: string, change: (header: Header) => Header): Promise<void> {
  await using snapshot = await openSnapshot(url)
  await pipeline(writeBackup(change(snapshot.header), snapshot.rowsOf), createGzip(), createWriteStream(file))
}

/** Everything that is stored, and the keys and constraints that hold it together. */
async function contentOf(db: Database): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('schema_migrations', 'installation') order by 1`.execute(db)
  const content: Record<string, unknown> = { types: await describeTables(db) }
  for (const { name } of tables.rows) {
    const rows = await sql`select to_jsonb(t) as row from ${sql.table(name)} t order by t::text`.execute(db)
    content[name] = rows.rows
  }
  const constraints = await sql`
    select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  return { ...content, constraints: constraints.rows }
}

it('a backup is one whole file for its owner alone, and restores every row, key and number as it was', async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  const { db } = database
  const { id, userId } = await aStoredCampaign(db, 300)
  const difficult = 'tab\t, line\nbreak, \\N, \\., "quotes", \u{1f4ee} and \u0001'
  await db.updateTable('campaigns').set({ subject: difficult, body: '' }).execute()
  await db.updateTable('deliveries').set({ reason: difficult }).where('seq', '<', 9).execute()
  await circle(db, { id, userId })
  for (const kind of ['a', 'b', 'c'])
    await db.insertInto('auth_mails').values({ email_key: 'ann@x.test', kind }).execute()
  await db.deleteFrom('auth_mails').where('kind', '<>', 'a').execute()
  await sql`create table of_somebody_else (id integer)`.execute(db)

  const file = join(folder, 'whole')
  const made = await admin(on(database), ['backup', file])
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('keep SECRET_KEY') })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['whole'])
  expect(await admin(on(database), ['backup', file])).toEqual(
    oneSentence(/.*whole exists already; name a file/),
  )
  expect(await admin(on(database), ['backup', join(folder, 'no', 'such')])).toEqual(
    oneSentence(/.*such cannot be written: ENOENT/),
  )
  expect(await admin(on(database), ['restore', file])).toEqual(
    oneSentence(/A backup is restored into an empty database only, .* \(\w+\); set DATA_DIR to a new folder/),
  )

  const restored = await admin(on(copy), ['restore', file])
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toMatch(/^Left out, being no tables of Postrider: of_somebody_else\.$/m)
  await sql`drop table of_somebody_else`.execute(db)
  expect(await contentOf(copy.db)).toEqual(await contentOf(db))
  await expectCountsToAddUp(copy.db)
  // No worker has ever named the original; the copy is one all the same, and its first worker will hold it back.
  expect(await db.selectFrom('installation').selectAll().execute()).toEqual([])
  expect(await copy.db.selectFrom('installation').select('identity').execute()).toEqual([
    { identity: 'restored' },
  ])
  const next = await copy.db
    .insertInto('auth_mails')
    .values({ email_key: 'ann@x.test', kind: 'd' })
    .returning('id')
    .executeTakeFirst()
  expect(next).toEqual({ id: '4' })
})

/** A campaign that answers a message that answers the campaign. */
async function circle(db: Database, { id, userId }: { id: string; userId: string }): Promise<void> {
  const inbox = await db
    .insertInto('inboxes')
    .values({ user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = await db
    .insertInto('inbox_messages')
    .values({
      ...{ inbox_id: inbox.id, user_id: userId, identity: Buffer.from([0, 255, 10, 92]) },
      ...{ envelope_from: '', envelope_to: 'x@x.test', conversation_id: userId, campaign_id: id },
      answered_ids: ['<a{,"\\@b>'],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('campaigns').set({ answers_message_id: message.id }).execute()
}

it('a backup that is damaged, cut short or none at all leaves the database as empty as it was', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  await using copy = await emptyDatabase()
  await aStoredCampaign(database.db, 2_000)
  const file = join(folder, 'sound')
  expect((await admin(on(database), ['backup', file])).code).toBe(0)
  const packed = await readFile(file)
  const plain = gunzipSync(packed)
  const at = plain.indexOf('r1999@x.test')
  const changed = Buffer.concat([plain.subarray(0, at), Buffer.from('X'), plain.subarray(at + 1)])
  const damages = {
    'cut short': packed.subarray(0, -1_000),
    'cut between': gzipSync(plain.subarray(0, -40)),
    'too long': gzipSync(Buffer.concat([plain, Buffer.from('x')])),
    changed: gzipSync(changed),
  }
  for (const [name, bytes] of Object.entries(damages)) {
    await writeFile(join(folder, name), bytes)
    expect(await admin(on(copy), ['restore', join(folder, name)])).toEqual(
      oneSentence(/The backup .* is damaged or cut short, so nothing was restored/),
    )
  }
  await writeFile(join(folder, 'letter'), 'Dear Ann')
  expect(await admin(on(copy), ['restore', join(folder, 'letter')])).toEqual(oneSentence(/.* is no backup/))
  expect(await admin(on(copy), ['restore', join(folder, 'nothing')])).toEqual(
    oneSentence(/.*nothing cannot be read: ENOENT/),
  )
  expect((await admin(on(copy), ['restore', file])).code).toBe(0)
  await expectCountsToAddUp(copy.db)
})

it('a backup of an earlier version is restored as it was and brought forward, one of a later version is not touched', {
  tags: 'thorough',
}, async () => {
  await using database = await emptyDatabase()
  await using copy = await emptyDatabase()
  const earlier = (await readMigrations()).filter(({ name }) => name < '0009')
  await database.db.transaction().execute((tx) => applyMigrations(tx, earlier))
  // A campaign is stored as today, and today's intake asks for what the tables of then had not.
  const later: [string, string][] = [
    ['deliveries', 'may_have_left boolean not null default false'],
    ['runs', 'copy_number integer not null default 1'],
    ['installation', 'copy_number integer not null default 1'],
  ]
  for (const [table, column] of later)
    await sql`alter table ${sql.table(table)} add column ${sql.raw(column)}`.execute(database.db)
  await circle(database.db, await aStoredCampaign(database.db, 5))
  for (const [table, column] of later)
    await sql`alter table ${sql.table(table)} drop column ${sql.raw(column.split(' ')[0] ?? '')}`.execute(
      database.db,
    )
  await sql`update inbox_messages set search = 'ownersword', received_at = '2026-01-05T00:00:00Z'`.execute(
    database.db,
  )
  const file = join(folder, 'earlier')
  // As after a pull: what the tables were is kept before they are brought forward, and nothing else is done with them.
  expect(await admin(on(database), ['users'])).toEqual(
    oneSentence(
      /The tables of this database are those of an earlier version; make a backup, start Postrider once/,
    ),
  )
  expect(await admin(on(database), ['backup', file])).toMatchObject({ code: 0, err: '' })
  expect(await isMigrated(database.db)).toBe(false)

  expect(await admin(on(copy), ['restore', file])).toMatchObject({ code: 0, err: '' })
  expect(await copy.db.selectFrom('runs').select(['queued', 'rounds']).execute()).toEqual([
    { queued: 5, rounds: 1 },
  ])
  // Each word behind the week in which its message came, as 0009 wants it.
  expect(await copy.db.selectFrom('inbox_messages').select('search').execute()).toEqual([
    { search: "'owners0b6aword'" },
  ])
  await expectCountsToAddUp(copy.db)
  await using other = await freshDatabase()
  expect((await contentOf(copy.db))['types']).toBe((await contentOf(other.db))['types'])

  const next = { name: '9999-later.sql', checksum: 'unknown' }
  await aBackup(database.url, `${file} and later`, (header) => ({
    ...header,
    migrations: [...header.migrations, next],
  }))
  await using empty = await emptyDatabase()
  expect(await admin(on(empty), ['restore', `${file} and later`])).toEqual(
    oneSentence(
      /This backup was made by Postrider .*\(9999-later.sql\) this version does not know; restore it with/,
    ),
  )
})

it('no backup is made of tables that this version does not know, nor where there are none', {
  tags: 'thorough',
}, async () => {
  await using database = await emptyDatabase()
  const file = join(folder, 'unknown')
  expect(await admin(on(database), ['backup', file])).toEqual(
    oneSentence(/There are no tables of Postrider in this database; start Postrider once/),
  )
  await migrate(database.url, createLog('silent'))
  const later = { name: '9999-later.sql', checksum: 'unknown' }
  await database.db.insertInto('schema_migrations').values(later).execute()
  for (const args of [['backup', file], ['users']])
    expect(await admin(on(database), args)).toEqual(
      oneSentence(/The database was migrated by a newer Postrider \(9999-later.sql\); start that version/),
    )
  await database.db.deleteFrom('schema_migrations').where('name', '=', later.name).execute()
  await database.db
    .updateTable('schema_migrations')
    .set({ checksum: 'another' })
    .where('name', 'like', '0003-%')
    .execute()
  expect(await admin(on(database), ['backup', file])).toEqual(
    oneSentence(/The migration 0003-\S+ differs from the one this database was made with; restore the file/),
  )
  expect(await readdir(folder)).not.toContain('unknown')
})

it('a backup keeps nobody from starting on a database that needs no migration', async () => {
  await using database = await freshDatabase()
  await using _snapshot = await openSnapshot(database.url)
  await migrate(database.url, createLog('silent'))
})

it('whoever has to wait before the tables are brought forward says so', async () => {
  await using database = await emptyDatabase()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  await database.db.connection().execute(async (line) => {
    await sql`select pg_advisory_lock_shared(${MIGRATION_LOCK})`.execute(line)
    const migrating = migrate(database.url, log)
    await until('it says that it waits', async () => lines.join('').includes('wait until'))
    await sql`select pg_advisory_unlock_shared(${MIGRATION_LOCK})`.execute(line)
    await migrating
  })
  expect(await isMigrated(database.db)).toBe(true)
  expect(lines).toHaveLength(1)
})
