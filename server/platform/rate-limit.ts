import { sql } from 'kysely'
import type { Database } from './database.ts'
import { tooManyRequests } from './errors.ts'

/** A bucket holds `burst` attempts and regains one every `refillSeconds`. */
export type Limit = { burst: number; refillSeconds: number }

export type RateLimiter = {
  /** Takes one attempt from the bucket, or answers 429 with the time until the next one is free. */
  take(key: string, limit: Limit): Promise<void>
  /** Forgives: the bucket is full again. */
  reset(keys: readonly string[]): Promise<void>
  /** Drops buckets that have long been full again. */
  prune(): Promise<void>
}

/**
 * Buckets live in the database, on its clock, so that all processes count together and one statement decides: a
 * hundred attempts at the same moment are judged one after the other.
 */
export function createRateLimiter(db: Database): RateLimiter {
  return {
    async take(key, { burst, refillSeconds }) {
      // A refused attempt stores its level minus one, a negative number that says "refused"; the next attempt adds
      // the one back, so that being refused costs nothing.
      const { rows } = await sql<{ tokens: number }>`
        insert into rate_buckets as b (key, tokens, refilled_at)
        values (${key}, ${burst - 1}::float8, clock_timestamp())
        on conflict (key) do update set
          tokens = least(${burst}::float8,
            case when b.tokens < 0 then b.tokens + 1 else b.tokens end
            + greatest(0, extract(epoch from clock_timestamp() - b.refilled_at)) / ${refillSeconds}::float8) - 1,
          refilled_at = greatest(b.refilled_at, clock_timestamp())
        returning tokens`.execute(db)
      const tokens = rows[0]?.tokens ?? 0
      if (tokens < 0) throw tooManyRequests(-tokens * refillSeconds)
    },

    async reset(keys) {
      await db.deleteFrom('rate_buckets').where('key', 'in', keys).execute()
    },

    async prune() {
      await db
        .deleteFrom('rate_buckets')
        .where('refilled_at', '<', sql<Date>`now() - interval '1 day'`)
        .execute()
    },
  }
}
