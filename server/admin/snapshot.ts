import { Socket } from 'node:net'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import packageJson from '../../package.json' with { type: 'json' }
import { NO_LIMITS } from '../platform/database.ts'
import { MIGRATION_LOCK } from '../platform/migrate.ts'
import type { Header } from './backup-file.ts'

/** All tables as they are at one moment, whatever is written meanwhile. */
type Snapshot = AsyncDisposable & {
  header: Header
  rowsOf(table: Header['tables'][number]): AsyncIterable<Buffer>
}

/** The name of the connection by which a backup is made. */
export const BACKUP_LINE = 'postrider backup'

// Written so that any PostgreSQL reads the same out of it, and never given up for being slow.
const SETTINGS = `set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'iso_8601';
  set extra_float_digits = 3; set bytea_output = 'hex'; ${NO_LIMITS}`

export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: BACKUP_LINE,
    stream: () => socket,
  })
  let isReading = false
  async function* rowsOf(table: Header['tables'][number]): AsyncGenerator<Buffer> {
    isReading = true
    yield* client.query(copyTo(`copy ${targetOf(table)} to stdout`))
    isReading = false
  }
  // A connection that breaks fails the query that waits for it; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(SETTINGS)
    // Outside the transaction, whose moment is that of its first statement: the tables must not change under way.
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
    await client.query('begin isolation level repeatable read read only')
    return {
      header: {
        version: packageJson.version,
        madeAt: await momentOf(client),
        migrations: await migrationsOf(client),
        tables: await tablesOf(client),
        sequences: await sequencesOf(client),
      },
      rowsOf,
      async [Symbol.asyncDispose]() {
        // In the middle of a table the server would not hear that we leave.
        if (isReading) socket.destroy()
        else await client.end()
      },
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** What stands behind `copy`, for both directions. */
export const targetOf = ({ name, columns }: Pick<Header['tables'][number], 'name' | 'columns'>): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`

async function momentOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: Date }>('select now() as at')
  return (rows[0]?.at ?? new Date()).toISOString()
}

async function migrationsOf(client: pg.Client): Promise<Header['migrations']> {
  const { rows } = await client.query<Header['migrations'][number]>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

/** Without the jobs: what waits is found again by its rows. Nor what is unlogged, which no crash spares either. */
async function tablesOf(client: pg.Client): Promise<Header['tables']> {
  const { rows } = await client.query<Omit<Header['tables'][number], 'rows'>>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`)
  const tables: Header['tables'] = []
  for (const table of rows) tables.push({ ...table, rows: await countOf(client, table.name) })
  return tables
}

async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${pg.escapeIdentifier(table)}`)
  return Number(rows[0]?.count)
}

/** Sequences know no snapshot: they are at least as far as the rows, which is all that matters. */
async function sequencesOf(client: pg.Client): Promise<Header['sequences']> {
  const { rows } = await client.query<Header['sequences'][number]>(`
    select c.relname as table, a.attname as column, s.last_value::text as last
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename)::regclass::oid =
      pg_get_serial_sequence(format('%I', c.relname), a.attname)::regclass::oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
      and s.last_value is not null
    order by c.relname, a.attname`)
  return rows
}
