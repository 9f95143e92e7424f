import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { type Command, say } from './command.ts'
import { withInstallation } from './database.ts'
import { line, PAGE, paged } from './lists.ts'

export const users: Command = {
  name: 'users',
  takes: '',
  does: 'lists the accounts, then those who have signed up and not confirmed their address yet',
  run: () =>
    withInstallation(async ({ db }) => {
      await say(line('email', 'since', 'verified', 'campaigns', 'telegram'))
      for await (const { email, since, campaigns, telegram } of paged((after) => accounts(db, after)))
        await say(line(email, day(since), 'yes', campaigns, telegram ?? '-'))
      for await (const { email, since } of paged((after) => unconfirmed(db, after)))
        await say(line(email, day(since), 'no', 0, '-'))
      return 0
    }),
}

const day = (time: Date): string => time.toISOString().slice(0, 10)

const accounts = (db: Database, after: string) =>
  db
    .selectFrom('users as u')
    .leftJoin('telegram_links as t', 't.user_id', 'u.id')
    .select((row) => [
      'u.email_key as key',
      'u.email',
      'u.created_at as since',
      // What people call themselves there may hold anything; a user name is letters, a number is a number.
      sql<string | null>`coalesce('@' || t.username, t.telegram_user_id::text)`.as('telegram'),
      row
        .selectFrom('campaigns as c')
        .select((campaign) => campaign.fn.countAll<string>().as('count'))
        .whereRef('c.user_id', '=', 'u.id')
        .$asScalar()
        .$notNull()
        .as('campaigns'),
    ])
    .where('u.email_key', '>', after)
    .orderBy('u.email_key')
    .limit(PAGE)
    .execute()

/** Their latest attempt, where there have been several. */
const unconfirmed = (db: Database, after: string) =>
  db
    .selectFrom('registrations as r')
    .select(['r.email_key as key', 'r.email', 'r.created_at as since'])
    .distinctOn('r.email_key')
    .where('r.email_key', '>', after)
    .where((row) =>
      row.not(
        row.exists(row.selectFrom('users as u').select('u.id').whereRef('u.email_key', '=', 'r.email_key')),
      ),
    )
    .orderBy('r.email_key')
    .orderBy('r.created_at', 'desc')
    .limit(PAGE)
    .execute()
