import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { applyMigrations, readMigrations } from '../platform/migrate.ts'
import { emptyDatabase } from '../test/database.ts'

/** When a mail was taken, when it counted as delivered, and when anything was first heard of it. */
type Past = { accepted: string; delivered: string; heard?: string; bounce?: string }

const PAST: Readonly<Record<string, Past>> = {
  'by plain SMTP': { accepted: '10:00', delivered: '10:00' },
  'by plain SMTP, and opened later': { accepted: '10:00', delivered: '10:00', heard: '10:05' },
  'by plain SMTP, and come back': { accepted: '10:00', delivered: '10:00', heard: '10:01', bounce: 'hard' },
  'reported later': { accepted: '10:00', delivered: '10:01', heard: '10:01' },
  'reported before the provider had answered': { accepted: '10:00', delivered: '10:00', heard: '10:00' },
}

it('campaigns from before it was noted are known by their deliveries: those that went by plain SMTP', async () => {
  await using database = await emptyDatabase()
  const { db } = database
  const migrations = await readMigrations()
  const earlier = migrations.filter(({ name }) => name < '0018')
  await db.transaction().execute((tx) => applyMigrations(tx, earlier))
  const user = randomUUID()
  await sql`insert into users (id, email, email_key, password_hash) values (${user}, 'a@x.test', 'a@x.test', '-')`.execute(
    db,
  )
  for (const [subject, { accepted, delivered, heard = null, bounce = null }] of Object.entries(PAST)) {
    const id = randomUUID()
    await sql`insert into campaigns (id, user_id, subject, body, sender_name, reply_to, recipient_count)
      values (${id}, ${user}, ${subject}, '', '', '', 1)`.execute(db)
    await sql`insert into runs (campaign_id, user_id, account, state, is_open, last_seq, accepted, delivered)
      values (${id}, ${user}, 'product', 'sending', false, 1, 1, 1)`.execute(db)
    await sql`insert into deliveries (campaign_id, seq, address, address_key, state, accepted_at, delivered_at, confirmed_at,
        bounce)
      values (${id}, 1, 'b@x.test', 'b@x.test', 'a', ${at(accepted)}, ${at(delivered)}, ${heard && at(heard)}, ${bounce})`.execute(
      db,
    )
  }
  await db.transaction().execute((tx) => applyMigrations(tx, migrations))
  const runs = db.selectFrom('runs').innerJoin('campaigns', 'campaigns.id', 'runs.campaign_id')
  const presumed = await runs.select('subject').where('is_presumed', '=', true).orderBy('subject').execute()
  expect(presumed.map(({ subject }) => subject)).toEqual(['by plain SMTP', 'by plain SMTP, and opened later'])
})

const at = (time: string): Date => new Date(`2026-11-15T${time}:00Z`)
