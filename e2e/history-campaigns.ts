import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Site } from './site.ts'

/** How many deliveries are in which state: q(ueued), i(n flight), a(ccepted), f(ailed), u(nknown), s(uppressed), c(ancelled). */
type Letters = Partial<Record<'q' | 'i' | 'a' | 'f' | 'u' | 's' | 'c', number>>

export type PastCampaign = {
  subject: string
  body: string
  letters: Letters
  /** Of those that were accepted. */
  reports: Partial<Record<'delivered' | 'bounced' | 'complained' | 'opened', number>>
  state: 'sending' | 'paused' | 'cancelled'
  pausedReason: string | null
  /** The user's own account is out of order, for this reason. */
  outage: string | null
  sentAt: Date
  /** The recipients are name1@example.test, name2@… */
  name: string
}

const USUAL: PastCampaign = {
  subject: 'News',
  body: 'How are you?',
  letters: { a: 1 },
  reports: {},
  state: 'sending',
  pausedReason: null,
  outage: null,
  sentAt: new Date(Date.now() - 3_600_000),
  name: 'r',
}

/** A statement has fifteen seconds, on a machine that may be busy. */
const PIECE = 10_000

const ORDER = ['f', 'u', 'c', 's', 'i', 'q', 'a'] as const
const REASONS = {
  f: '550 5.1.1 No such user here',
  u: 'Postrider stopped while this mail was on its way; the mail server may or may not have taken it',
  c: 'Cancelled before it was sent',
  s: 'This address has asked to get no more mail',
} as const

/**
 * A campaign that stands as it is told to, and stays so: nobody has anything to send of it before tomorrow. It is
 * stored as the product would have left it, so that no journey has to wait until it has happened.
 */
export async function pastCampaign(
  { db }: Pick<Site, 'db'>,
  userId: string,
  parts: Partial<PastCampaign> = {},
): Promise<string> {
  const { subject, body, letters, reports, state, pausedReason, outage, sentAt, name } = {
    ...USUAL,
    ...parts,
  }
  const id = randomUUID()
  const account = outage === null ? 'product' : `user/${userId}`
  const of = (letter: keyof Letters): number => letters[letter] ?? 0
  const count = ORDER.reduce((sum, letter) => sum + of(letter), 0)
  const told = { delivered: 0, bounced: 0, complained: 0, opened: 0, ...reports }
  const run = {
    ...{ queued: of('q'), in_flight: of('i'), accepted: of('a'), failed: of('f') },
    ...{ unknown: of('u'), suppressed: of('s'), cancelled: of('c') },
  }
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('campaigns')
      .values({
        ...{ id, user_id: userId, subject, body, sender_name: 'Ann Keller', reply_to: 'ann@example.test' },
        ...{ recipient_count: count, created_at: sentAt },
      })
      .execute()
    await tx
      .insertInto('runs')
      .values({
        ...{ campaign_id: id, user_id: userId, account, state, paused_reason: pausedReason },
        ...{ is_open: of('q') + of('i') > 0, last_seq: count, cursor: count, created_at: sentAt },
        ...run,
        ...told,
      })
      .execute()
    if (outage !== null)
      await tx
        .insertInto('account_holds')
        .values({ account, outage, held_until: sql`now() + interval '1 day'` })
        .execute()
    let first = 1
    for (const letter of ORDER) {
      const last = first + of(letter) - 1
      for (let from = first; from <= last; from += PIECE)
        await sql`
        insert into deliveries (campaign_id, seq, address, address_key, state, attempts, reason, next_try_at, accepted_at,
          bounced_at, complained_at, delivered_at, opened_at)
        select ${id}, n, ${name} || n || '@example.test', ${name} || n || '@example.test', ${letter}::"char",
          ${'qcs'.includes(letter) ? 0 : 1}, ${letter in REASONS ? REASONS[letter as keyof typeof REASONS] : null},
          case when ${letter} in ('q', 'i') then now() + interval '1 day' end,
          case when ${letter} = 'a' then ${sentAt}::timestamptz + interval '1 minute' end,
          case when ${letter} = 'a' and n < ${first + told.bounced} then ${sentAt}::timestamptz + interval '2 minutes' end,
          case when ${letter} = 'a' and n >= ${first + told.bounced} and n < ${first + told.bounced + told.complained}
            then ${sentAt}::timestamptz + interval '3 minutes' end,
          case when ${letter} = 'a' and n > ${last - told.delivered} then ${sentAt}::timestamptz + interval '2 minutes' end,
          case when ${letter} = 'a' and n > ${last - told.opened} then ${sentAt}::timestamptz + interval '5 minutes' end
        from generate_series(${from}::integer, ${Math.min(last, from + PIECE - 1)}::integer) n`.execute(tx)
      first = last + 1
    }
  })
  return id
}

/** `count` campaigns to one person each, "Letter 1" a minute ago, "Letter 2" two minutes ago, and so on. */
export async function manyCampaigns({ db }: Pick<Site, 'db'>, userId: string, count: number): Promise<void> {
  await sql`
    with made as (
      insert into campaigns (id, user_id, subject, body, sender_name, reply_to, recipient_count, created_at)
      select gen_random_uuid(), ${userId}, 'Letter ' || n, '', 'Ann', 'ann@example.test', 1, now() - n * interval '1 minute'
      from generate_series(1, ${count}::integer) n returning id, created_at),
    ran as (
      insert into runs (campaign_id, user_id, account, state, is_open, cursor, last_seq, accepted, delivered, created_at)
      select id, ${userId}, 'product', 'sending', false, 1, 1, 1, 1, created_at from made)
    insert into deliveries (campaign_id, seq, address, address_key, state, attempts, accepted_at, delivered_at)
    select id, 1, 'bob@example.test', 'bob@example.test', 'a', 1, created_at, created_at from made`.execute(
    db,
  )
}

type Counter = 'queued' | 'in_flight' | 'accepted' | 'failed' | 'unknown' | 'delivered' | 'bounced' | 'opened'

/** Moves the counts of a campaign as a worker would, and tells the open pages. */
export async function moveOn(
  { db }: Pick<Site, 'db'>,
  id: string,
  counts: Partial<Record<Counter, number>>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { user_id } = await tx
      .updateTable('runs')
      .set({ ...counts, ...(counts.queued === 0 ? { is_open: false } : {}) })
      .where('campaign_id', '=', id)
      .returning('user_id')
      .executeTakeFirstOrThrow()
    const notice = JSON.stringify({ userId: user_id, kind: 'campaign', id })
    await sql`select pg_notify('postrider_notices', ${notice})`.execute(tx)
  })
}
