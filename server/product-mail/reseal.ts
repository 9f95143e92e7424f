import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { type JobData, PRODUCT_MAIL, placeOf } from './service.ts'

/**
 * Seals the mails that have not left under a new key: else a link to set a password, or word of a paused campaign, would
 * never come. Those that do not open are left alone; they fail by themselves and are gone within hours, which is nothing
 * to keep a key for.
 */
export async function resealQueuedMail(
  tx: Transaction,
  from: Pick<Secrets, 'open'>,
  to: Pick<Secrets, 'seal'>,
): Promise<void> {
  const queue = await sql<{ isThere: boolean }>`
    select to_regclass('pgboss.job') is not null as "isThere"`.execute(tx)
  // The queue makes its tables at the first start, which a restored copy may still have before it.
  if (!queue.rows[0]?.isThere) return
  const { rows } = await sql<{ job: string; data: JobData }>`
    select id as job, data from pgboss.job
    where name = ${PRODUCT_MAIL.name} and state in ('created', 'retry', 'active') for update`.execute(tx)
  for (const { job, data } of rows) {
    const place = placeOf(data.id)
    const plain = opened(from, place, data.sealed)
    if (plain === null) continue
    const sealed = JSON.stringify({ ...data, sealed: to.seal(place, plain) } satisfies JobData)
    await sql`
      update pgboss.job set data = ${sealed}::jsonb where name = ${PRODUCT_MAIL.name} and id = ${job}`.execute(
      tx,
    )
  }
}

function opened(secrets: Pick<Secrets, 'open'>, place: string, sealed: string): string | null {
  try {
    return secrets.open(place, sealed)
  } catch {
    return null
  }
}
