import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { freshDatabase } from '../test/database.ts'
import { describeTables } from './describe-tables.ts'

it('has table types that equal the migrated database', async () => {
  await using database = await freshDatabase()
  const written = await readFile(new URL('./tables.ts', import.meta.url), 'utf8')
  expect(written).toBe(await describeTables(database.db))
})
