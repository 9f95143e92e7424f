import type { Database } from '../platform/database.ts'
import { deleteExpired } from './store/tidying.ts'

/** What the accounts leave behind. Nothing depends on it: every question looks at the time itself. */
export const createAuthHousekeeping = (db: Database) => (): Promise<void> => deleteExpired(db)
