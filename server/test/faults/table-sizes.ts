import { sql } from 'kysely'
import { openDatabase } from '../../platform/database.ts'
import { createLog } from '../../platform/log.ts'

/** A table of less is a few pages, of which none can be half full. */
const LEAST = 1_000_000

/** In bytes with their indexes, as they are and as they would be of their live rows alone. */
export async function tableSizes(
  databaseUrl: string,
  tables: readonly string[],
): Promise<{ table: string; size: number; live: number }[]> {
  const db = openDatabase(databaseUrl, createLog('silent'), { isPatient: true, size: 1 })
  const sizeOf = async (table: string) => {
    const { rows } = await sql<{ size: string }>`select pg_total_relation_size(${table}) as size`.execute(db)
    return Math.max(Number(rows[0]?.size), LEAST)
  }
  try {
    const sizes = []
    for (const table of tables) {
      const size = await sizeOf(table)
      await sql`vacuum full ${sql.table(table)}`.execute(db)
      sizes.push({ table, size, live: await sizeOf(table) })
    }
    return sizes
  } finally {
    await db.destroy()
  }
}
