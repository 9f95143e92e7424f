import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import { killDatabase } from '../process.ts'

/** A PostgreSQL of the scenario's own that waits for the disk, as in production, and comes back by itself when killed. */
type DurablePostgres = AsyncDisposable & { url: string; kill: () => Promise<void> }

export async function aDurablePostgres(): Promise<DurablePostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'postrider-durable-'))
  const postgres = await startEmbeddedPostgres({ dir })
  return {
    url: postgres.url,
    kill: () => killDatabase(dir),
    async [Symbol.asyncDispose]() {
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
