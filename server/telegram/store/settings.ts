import type { Database } from '../../platform/database.ts'
import type { Alerts, QuietHours } from './links.ts'

const COLUMNS = {
  finished: 'tells_finished',
  paused: 'tells_paused',
  bounces: 'tells_bounces',
  replies: 'tells_replies',
} as const satisfies Record<keyof Alerts, string>

export async function setTells(
  db: Database,
  linkId: string,
  alert: keyof Alerts,
  isOn: boolean,
): Promise<void> {
  await db
    .updateTable('telegram_links')
    .set({ [COLUMNS[alert]]: isOn })
    .where('id', '=', linkId)
    .execute()
}

export async function setQuietHours(db: Database, linkId: string, hours: QuietHours | null): Promise<void> {
  await db
    .updateTable('telegram_links')
    .set({ quiet_from: hours?.from ?? null, quiet_until: hours?.until ?? null })
    .where('id', '=', linkId)
    .execute()
}

export async function setTimeZone(db: Database, linkId: string, timeZone: string): Promise<void> {
  await db.updateTable('telegram_links').set({ time_zone: timeZone }).where('id', '=', linkId).execute()
}
