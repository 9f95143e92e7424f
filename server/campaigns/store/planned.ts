import type { RawBuilder } from 'kysely'
import type { QueryResultRow } from 'pg'
import { type Database, prepared } from '../../platform/database.ts'

/**
 * What every look at a screen asks. Each connection plans it once, which costs about as much as running it; a name stands
 * for one text only, so it tells which parts a query has.
 */
export function planned<Row extends QueryResultRow>(
  db: Database,
  name: string,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(db)
  return prepared<Row>(db, { name, text }, parameters)
}
