import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

type ForeignKey = { name: string; table: string; definition: string }

/**
 * Tables refer to each other in circles, so that no order of loading them fits. Each key is made anew behind the rows,
 * which checks them all at once; no other way is open to the owner of a database who is not its superuser.
 */
export async function withoutForeignKeys<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const { rows: keys } = await sql<ForeignKey>`
    select c.conname as name, t.relname as "table", pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace
    order by t.relname, c.conname`.execute(tx)
  for (const { name, table } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  const result = await work()
  for (const { name, table, definition } of keys)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      tx,
    )
  return result
}
