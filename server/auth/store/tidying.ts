import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { REGISTRATION_HOURS } from './registrations.ts'
import { SESSION_IDLE_DAYS } from './sessions.ts'
import { ago } from './times.ts'

/** Deletes what has run out. */
export async function deleteExpired(db: Database): Promise<void> {
  await db
    .deleteFrom('registrations')
    .where('created_at', '<', ago(REGISTRATION_HOURS, 'hours'))
    // A code that was asked for in the last minute lives as long as its mail says.
    .where((eb) => eb.or([eb('code_expires_at', 'is', null), eb('code_expires_at', '<', sql<Date>`now()`)]))
    .execute()
  await db.deleteFrom('password_resets').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('sessions').where('last_seen_at', '<', ago(SESSION_IDLE_DAYS, 'days')).execute()
  await db.deleteFrom('auth_mails').where('sent_at', '<', ago(1, 'days')).execute()
}
