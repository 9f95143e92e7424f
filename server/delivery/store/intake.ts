import { sql } from 'kysely'
import type { CopyInto } from '../../platform/copying.ts'
import type { Database, Transaction } from '../../platform/database.ts'
import { THIS_COPY } from '../doubt.ts'
import { leaveOutAtIntake } from './suppressed.ts'

export type Recipient = { name: string; address: string; key: string }
export type NewRun = { campaignId: string; userId: string; account: string }
export type Intake = { recipients: number; duplicates: number; suppressed: string[] }

/** Up to here it costs little to remember who was named already. */
const FEW = 100_000

/**
 * Stores one delivery for each recipient of a stream of any length, and the run that will send them. Who is named twice
 * is stored once, who is on the user's suppression list as left out. `atMost` tells how long the list can be, where that is known.
 */
export async function storeDeliveries(
  tx: Transaction,
  copyInto: CopyInto,
  { campaignId, userId, account }: NewRun,
  recipients: AsyncIterable<readonly Recipient[]>,
  atMost = Number.POSITIVE_INFINITY,
): Promise<Intake> {
  const store = atMost <= FEW ? storeFew : storeMany
  const { named, stored } = await store(tx, copyInto, campaignId, recipients)
  const suppressed = await leaveOutAtIntake(tx, { campaignId, userId })
  const queued = stored - suppressed.length
  await tx
    .insertInto('runs')
    .values({
      campaign_id: campaignId,
      user_id: userId,
      account,
      state: 'sending',
      is_open: queued > 0,
      last_seq: named,
      queued,
      suppressed: suppressed.length,
      copy_number: sql.raw<number>(THIS_COPY),
    })
    .execute()
  return { recipients: stored, duplicates: named - stored, suppressed }
}

type Store = (
  tx: Transaction,
  copyInto: CopyInto,
  campaignId: string,
  recipients: AsyncIterable<readonly Recipient[]>,
) => Promise<{ named: number; stored: number }>

/** Straight into the table, at half the cost. */
const storeFew: Store = async (_tx, copyInto, campaignId, recipients) => {
  const keys = new Set<string>()
  let named = 0
  async function* lines(): AsyncGenerator<string> {
    for await (const chunk of recipients) {
      let text = ''
      for (const { address, key, name } of chunk) {
        named += 1
        if (keys.has(key)) continue
        keys.add(key)
        text += `${campaignId}\t${named}\t${escaped(address)}\t${escaped(key)}\t${escaped(name)}\n`
      }
      if (text !== '') yield text
    }
  }
  await copyInto('deliveries (campaign_id, seq, address, address_key, name)', lines())
  return { named, stored: keys.size }
}

/** The database decides by its unique key, in the order of the stream, so that memory does not grow with the list. */
const storeMany: Store = async (tx, copyInto, campaignId, recipients) => {
  await sql`create temporary table incoming (
    seq integer generated always as identity, address text, address_key text collate "C", name text
  ) on commit drop`.execute(tx)
  await copyInto('incoming (address, address_key, name)', copyLines(recipients))
  const { numAffectedRows: stored = 0n } = await sql`
    insert into deliveries (campaign_id, seq, address, address_key, name)
    select ${campaignId}, seq, address, address_key, name from incoming order by seq
    on conflict (campaign_id, address_key) do nothing`.execute(tx)
  const { rows } = await sql<{ last: number }>`select coalesce(max(seq), 0) as last from incoming`.execute(tx)
  return { named: rows[0]?.last ?? 0, stored: Number(stored) }
}

/** COPY's text format: a tab between columns, a line for a row, a backslash before what would be misread. */
async function* copyLines(recipients: AsyncIterable<readonly Recipient[]>): AsyncGenerator<string> {
  for await (const chunk of recipients) {
    let lines = ''
    for (const { address, key, name } of chunk)
      lines += `${escaped(address)}\t${escaped(key)}\t${escaped(name)}\n`
    if (lines !== '') yield lines
  }
}

const SPECIAL = /[\\\t\n\r]/g
const escaped = (text: string): string => text.replace(SPECIAL, (sign) => ESCAPES[sign] ?? sign)
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** The planner knows nothing of rows that have just come in by the thousand, and would then plan badly. */
export const refreshStatistics = async (db: Database): Promise<void> => {
  await sql`analyze deliveries`.execute(db)
}
