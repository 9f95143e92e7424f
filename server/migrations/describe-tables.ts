import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Writes the table types from a migrated database, so that what the code believes and what the migrations made cannot
 * drift apart: `npm run tables` saves the text, a test compares it.
 */
export async function describeTables(db: QueryExecutorProvider): Promise<string> {
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as "column", t.typname as "type", a.attnotnull as "required",
           (a.atthasdef or a.attidentity <> '') as "hasDefault"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  const tables = Map.groupBy(rows, (row) => row.table)
  const names = [...tables.keys()]
  return [
    '// Made by `npm run tables` from the migrated database; a test keeps the two equal.',
    "import type { Generated } from 'kysely'",
    '',
    ...[...tables].flatMap(([table, columns]) => [
      `export interface ${typeName(table)} {`,
      ...columns.map((column) => `  ${column.column}: ${typeOf(column)}`),
      '}',
      '',
    ]),
    'export interface Tables {',
    ...names.map((table) => `  ${table}: ${typeName(table)}`),
    '}',
    '',
  ].join('\n')
}

type Column = { table: string; column: string; type: string; required: boolean; hasDefault: boolean }

/** As the `pg` driver returns them: a bigint does not fit a number, so it comes as text. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'Date',
  jsonb: 'unknown',
  bytea: 'Buffer',
  _text: 'string[]',
  _int4: 'number[]',
  char: 'string',
  tsvector: 'string',
}

function typeOf({ table, column, type, required, hasDefault }: Column): string {
  const known = TYPES[type]
  if (!known) throw new Error(`No TypeScript type is set for ${type} (${table}.${column})`)
  const value = required ? known : `${known} | null`
  return hasDefault ? `Generated<${value}>` : value
}

const typeName = (table: string): string =>
  `${table
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Table`
