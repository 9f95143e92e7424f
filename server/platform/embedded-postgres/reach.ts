import { DATABASE } from './bring-up.ts'
import { readPassword, SUPERUSER } from './cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { preparePlaces, urlOf } from './places.ts'
import { findPostmaster } from './postmaster.ts'

/** For tools beside the application: the database as it runs, and only if it does not, one that is ours to stop. */
export async function reachEmbeddedPostgres(dir: string): Promise<EmbeddedPostgres> {
  const places = await preparePlaces(dir)
  const running = await findPostmaster(places)
  if (!running?.endpoint) return startEmbeddedPostgres({ dir })
  return {
    url: urlOf(running.endpoint, SUPERUSER, await readPassword(places), DATABASE),
    stop: async () => {},
  }
}
