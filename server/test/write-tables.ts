import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeTables } from '../migrations/describe-tables.ts'
import { openDatabase } from '../platform/database.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

// `npm run tables`: migrates an empty database and writes down what it then holds.
const dir = await mkdtemp(join(tmpdir(), 'postrider-tables-'))
const postgres = await startEmbeddedPostgres({ dir, settings: { fsync: 'off' } })
const log = createLog('warn')
await migrate(postgres.url, log)
const db = openDatabase(postgres.url, log)
await writeFile(new URL('../migrations/tables.ts', import.meta.url), await describeTables(db))
await db.destroy()
await postgres.stop()
await rm(dir, { recursive: true })
