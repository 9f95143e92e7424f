import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type CopyInto, copyingTransaction } from '../platform/copying.ts'
import type { Transaction } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { applyMigrations, MIGRATION_LOCK, type Migration, readMigrations } from '../platform/migrate.ts'
import { keyFileOf } from '../platform/secrets.ts'
import { type BackupReader, type Header, readBackup } from './backup-file.ts'
import { type Command, say } from './command.ts'
import { withInstallation } from './database.ts'
import { withoutForeignKeys } from './foreign-keys.ts'
import { markRestored } from './restored.ts'
import { targetOf } from './snapshot.ts'

export const restore: Command = {
  name: 'restore',
  takes: 'FILE',
  does: 'fills an empty database from a backup; what was being sent then waits until a person resumes it',
  run: async (file) => {
    await using backup = await readBackup(file)
    const migrations = await readMigrations()
    const thatOfBackup = knownAmong(migrations, backup.header)
    // Awaited: the file stays open as long as it is read.
    return await withInstallation(
      async ({ config, db }) => {
        const strangers = await copyingTransaction(db, 'restore', async (tx, copyInto) => {
          await refuseUsed(tx)
          await applyMigrations(tx, thatOfBackup)
          const leftOut = await withoutForeignKeys(tx, () => load(tx, copyInto, backup))
          await backup.verify()
          await applyMigrations(tx, migrations)
          await markRestored(tx)
          await analyze(tx, backup.header, leftOut)
          return leftOut
        })
        await report(config, backup.header, strangers)
        return 0
      },
      { mayBeEmpty: true },
    )
  },
}

/** The schema that the backup was made of: ours, or an earlier one that is brought forward afterwards. */
function knownAmong(migrations: readonly Migration[], { migrations: made, version }: Header): Migration[] {
  return made.map(({ name, checksum }) => {
    const ours = migrations.find((migration) => migration.name === name)
    if (ours?.checksum !== checksum)
      throw new StartError(
        `This backup was made by Postrider ${version}, whose tables (${name}) this version does not know; restore it with that version or a newer one`,
      )
    return ours
  })
}

/** Under the lock of all who migrate: nobody begins to use the database while it is filled. */
async function refuseUsed(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), 'pgboss') and c.relkind in ('r', 'p') limit 1`.execute(tx)
  if (rows[0])
    throw new StartError(
      `A backup is restored into an empty database only, and this one holds tables already (${rows[0].name}); set DATA_DIR to a new folder, or DATABASE_URL to a new database`,
    )
}

/** Answers the tables that stood beside Postrider's own, which have no place here. */
async function load(tx: Transaction, copyInto: CopyInto, backup: BackupReader): Promise<string[]> {
  const leftOut: string[] = []
  for (const table of backup.header.tables) {
    const rows = backup.nextTable()
    if (await isOurs(tx, table.name)) {
      await copyInto(targetOf(table), rows)
      await requireCount(tx, table)
    } else {
      leftOut.push(table.name)
      for await (const _ of rows);
    }
  }
  for (const { table, column, last } of backup.header.sequences)
    if (!leftOut.includes(table))
      await sql`select setval(pg_get_serial_sequence(format('%I', ${table}::text), ${column}), ${last}::bigint)`.execute(
        tx,
      )
  return leftOut
}

/** Without figures about its tables a large database answers slowly until somebody gathers them. */
async function analyze(tx: Transaction, { tables }: Header, leftOut: readonly string[]): Promise<void> {
  const ours = tables.filter(({ name }) => !leftOut.includes(name)).map(({ name }) => sql.table(name))
  await sql`analyze ${sql.join(ours)}`.execute(tx)
}

async function isOurs(tx: Transaction, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where relnamespace = current_schema()::regnamespace and relname = ${table}`.execute(
    tx,
  )
  return rows.length === 1
}

async function requireCount(
  tx: Transaction,
  { name, rows: expected }: Header['tables'][number],
): Promise<void> {
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(name)}`.execute(tx)
  if (Number(rows[0]?.count) !== expected)
    throw new StartError(
      `The backup says that ${name} has ${expected} rows, and ${rows[0]?.count} came, so nothing was restored`,
    )
}

async function report(config: Config, header: Header, strangers: readonly string[]): Promise<void> {
  const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
  await say(`${rows} rows are restored, as they were on ${header.madeAt} (Postrider ${header.version}).`)
  if (strangers.length > 0) await say(`Left out, being no tables of Postrider: ${strangers.join(', ')}.`)
  await say('Campaigns that were under way wait: each is sent on when its owner resumes it.')
  await say(
    'Who unsubscribed, complained or bounced since then is on no suppression list: add them before anything is sent.',
  )
  await say(
    config.secretKey === null
      ? `The key is not in a backup: before the first start put that of the original to ${keyFileOf(config.dataDir)}.`
      : 'The key is not in a backup: SECRET_KEY must be that of the original.',
  )
  if (config.telegram)
    await say('While the original still runs, start this one without TELEGRAM_BOT_TOKEN: a bot has one home.')
}
