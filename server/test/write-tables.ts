import { writeFile } from 'node:fs/promises'
import { describeTables } from '../migrations/describe-tables.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

// `npm run tables`: migrates the empty database given and writes what it then holds.
const [url] = process.argv.slice(2)
if (!url) throw new Error('usage: write-tables.ts DATABASE_URL')
const db: Database = openDatabase(url, createLog('warn'))
await migrate(db)
await writeFile(new URL('../migrations/tables.ts', import.meta.url), await describeTables(db))
await db.destroy()
