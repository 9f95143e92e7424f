import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Database, overOne, poolOf, type Transaction } from './database.ts'
import { AppError } from './errors.ts'
import { createTurnstile } from './turnstile.ts'

/** Storing a million recipients in one transaction takes some ten seconds; this is for a machine that is much slower. */
const LONG_QUERY_TIMEOUT_MS = 10 * 60_000

/** Streams lines of PostgreSQL's COPY text format into a table; `target` is what stands behind `copy`. */
export type CopyInto = (target: string, lines: AsyncIterable<string | Buffer>) => Promise<void>

/** Long lists come in few at a time, so that connections are left for everybody else. */
const COPIES_AT_ONCE = 4
const inTurn = createTurnstile({
  width: COPIES_AT_ONCE,
  refusal: () =>
    new AppError(
      503,
      'Too many lists are being stored at this moment, so nothing was sent. Please try again in a few seconds',
      { headers: { 'retry-after': '5' } },
    ),
})

/**
 * A transaction that can also take a stream of rows of any length. Its queries may take long, and on a patient database
 * as long as they take: what they do grows with the stream. Owners take turns, and whoever waits too long is told 503.
 */
export const copyingTransaction = <T>(db: Database, owner: string, work: CopyingWork<T>): Promise<T> =>
  inTurn(owner, () => copying(poolOf(db), work))

type CopyingWork<T> = (tx: Transaction, copyInto: CopyInto) => Promise<T>

async function copying<T>(pool: pg.Pool, work: CopyingWork<T>): Promise<T> {
  const isPatient = pool.options.query_timeout === undefined
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    const line = {
      query: (text: string, values: readonly unknown[]) => {
        // `pg` reads the timeout of a single query; its types do not say so.
        const query: pg.QueryConfig & { query_timeout?: number } = {
          text,
          values: [...values],
          ...(isPatient ? {} : { query_timeout: LONG_QUERY_TIMEOUT_MS }),
        }
        return client.query(query)
      },
      release: () => {},
    }
    const single = overOne(line)
    const copyInto: CopyInto = (target, lines) =>
      pipeline(Readable.from(lines), client.query(copyFrom(`copy ${target} from stdin`)))
    return await single.transaction().execute((tx) => work(tx, copyInto))
  } catch (error) {
    failure = error instanceof Error ? error : new Error('the transaction failed', { cause: error })
    throw error
  } finally {
    // A connection that failed in the middle of a COPY may not be in order: the pool makes a new one.
    client.release(failure)
  }
}
