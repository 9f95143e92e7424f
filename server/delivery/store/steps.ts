import { type Database, prepared } from '../../platform/database.ts'
import { EARLIER_TRY, endsAs } from '../doubt.ts'
import type { StateLetter } from '../states.ts'
import { LEFT_OUT_REASON } from './suppressed.ts'

/** A claimed piece of a campaign; who holds the token may send and record. */
export type WindowKey = { id: string; campaignId: string; token: string }

/** What shall be written about one delivery. */
export type Settlement = {
  seq: number
  /** Which try this is about. */
  attempts: number
  state: StateLetter
  reason: string | null
  providerId: string | null
  /** Set when it waits for another try, or its doubtful call for a repetition. */
  waitMs: number | null
  /** How many of its call are still doubtful, where their number has changed. */
  callSize: number | null
  /** Did this count as a try of the mail? Not if the provider was away, or the call never began. */
  wasTry: boolean
}

/** A delivery to be put in flight, and the call that it goes out with; a repeated call is in flight already. */
export type ToFence = { seq: number; callSeq: number; callSize: number; isRepeat: boolean }

export type StepOptions = {
  /** Those of the deliveries to be put in flight that were so before, and came back since the window was claimed. */
  returned?: readonly number[]
  /** The provider tells nothing more: what it has taken counts as delivered. */
  isLastWord?: boolean
  /** The provider that will be called; nobody is put in flight for one that no longer stands behind the account. */
  identity?: string
  /** How long that provider recognises a call that is repeated. */
  repeatableMs?: number
}

export type StepResult = {
  /** False when the lease is lost: somebody else accounts for these deliveries now. */
  holds: boolean
  /** False when the campaign is paused or cancelled, or its account is held or another provider's by now. */
  maySend: boolean
  fenced: ReadonlySet<number>
}

/**
 * The heart of the engine, one statement and one commit: writes the outcomes that have come in, and puts the next
 * deliveries in flight, both only for the holder of the window's token. Counts move with the rows. A delivery is in
 * flight, durably, before the first byte of its call leaves; so after a crash whatever may have been sent is known.
 */
export async function step(
  db: Database,
  window: WindowKey,
  settlements: readonly Settlement[],
  toFence: readonly ToFence[],
  { returned = [], isLastWord = false, identity, repeatableMs }: StepOptions = {},
): Promise<StepResult> {
  const [row] = await prepared<{ holds: boolean; maySend: boolean; fenced: number[] }>(db, STEP, [
    window.id,
    window.token,
    window.campaignId,
    settlements.map(({ seq }) => seq),
    settlements.map(({ attempts }) => attempts),
    settlements.map(({ state }) => state),
    settlements.map(({ reason }) => reason),
    settlements.map(({ providerId }) => providerId),
    settlements.map(({ waitMs }) => waitMs),
    settlements.map(({ wasTry }) => wasTry),
    settlements.filter(({ waitMs }) => waitMs !== null).map(({ seq }) => seq),
    toFence.map(({ seq }) => seq),
    toFence.map(({ callSeq }) => callSeq),
    toFence.map(({ callSize }) => callSize),
    toFence.map(({ isRepeat }) => isRepeat),
    settlements.map(({ callSize }) => callSize),
    returned,
    isLastWord,
    identity ?? null,
    repeatableMs ?? null,
  ])
  return {
    holds: row?.holds ?? false,
    maySend: row?.maySend ?? false,
    fenced: new Set(row?.fenced ?? []),
  }
}

/**
 * An event that came in before the outcome proves that the provider has the mail, whatever the answer was: it is then
 * not unknown, and is not sent again. A doubtful call that will be repeated stays whole, and so as it is.
 */
const PROVEN = `case when d.confirmed_at is not null and o.state in ('u', 'q', 'f') then 'a'
  when o.state = 'f' then ${endsAs('f')}::text else o.state end`

const STEP = {
  name: 'step',
  text: `
    with held as materialized (
      select lease_until, seqs from delivery_windows where id = $1::bigint and token = $2::uuid for no key update
    ),
    allowed as materialized (
      select from held, runs r
      where held.lease_until > clock_timestamp() and r.campaign_id = $3::uuid and r.state = 'sending'
        and not exists (select from account_holds h where h.account = r.account and h.held_until > clock_timestamp())
        and ($19::text is null
          or exists (select from account_ways y where y.account = r.account and y.identity = $19::text))
    ),
    -- Whoever has left the window is in another one, or will be, and may be in flight by another hand: who holds this one
    -- may not know it, where the answer that told it was lost, or the owner had them queued again.
    gone as materialized (
      select array(select unnest($4::integer[] || $12::integer[]) except select unnest(seqs)) as seqs from held
    ),
    settled as (
      update deliveries d set
        state = ${PROVEN}::"char",
        -- An event may have told already what brought it back.
        reason = case when d.bounce is not null then d.reason when ${PROVEN} = 'a' then null
          when o.state = 'f' then o.reason || ${EARLIER_TRY}
          -- A call that never began has changed nothing: what was known of the one before still is.
          when o.was_try then o.reason else coalesce(o.reason, d.reason) end,
        provider_id = coalesce(o.provider_id, d.provider_id),
        attempts = d.attempts - case when o.was_try then 0 else 1 end,
        accepted_at = case when ${PROVEN} = 'a' then now() else d.accepted_at end,
        delivered_at = case when ${PROVEN} = 'a' and $18::boolean then coalesce(d.delivered_at, now()) else d.delivered_at end,
        next_try_at = case when ${PROVEN} <> 'a' then now() + o.wait_ms * interval '1 millisecond' end,
        call_seq = case when o.state = 'i' then d.call_seq end,
        call_size = case when o.state = 'i' then coalesce(o.call_size, d.call_size) end
      from gone, unnest($4::integer[], $5::smallint[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::boolean[],
        $16::smallint[]) as o (seq, attempts, state, reason, provider_id, wait_ms, was_try, call_size)
      where d.campaign_id = $3::uuid and d.seq = o.seq and d.state = 'i'
        -- A statement that is repeated because its answer was lost must not touch what is in flight again.
        and d.attempts = o.attempts and o.seq <> all(gone.seqs)
      returning d.state, $18::boolean and d.delivered_at = now() and d.bounce is null as is_delivered
    ),
    trimmed as (
      update delivery_windows w set seqs = array(select s from unnest(w.seqs) s where not s = any($11::integer[]))
      where w.id = $1::bigint and cardinality($11::integer[]) > 0 and exists (select from held)
    ),
    -- Whoever comes onto the list is left out of what is queued at that moment, and of what is claimed later. Who was in
    -- flight then, and came back because the call never began, would slip through both: they are looked up once more.
    unwanted as materialized (
      select b.seq, ${LEFT_OUT_REASON} as reason from unnest($17::integer[]) as b (seq)
      join deliveries d on d.campaign_id = $3::uuid and d.seq = b.seq
      join runs r on r.campaign_id = d.campaign_id
      join suppressions s on s.user_id = r.user_id and s.address_key = d.address_key
    ),
    fenced as (
      update deliveries d set
        state = 'i', attempts = d.attempts + 1, next_try_at = null,
        -- A repeated call keeps the time of its first try: the provider remembers it only so long.
        in_flight_at = case when f.is_repeat then d.in_flight_at else now() end,
        call_seq = f.call_seq, call_size = f.call_size
      from allowed, gone, unnest($12::integer[], $13::integer[], $14::smallint[], $15::boolean[])
        as f (seq, call_seq, call_size, is_repeat)
      where d.campaign_id = $3::uuid and d.seq = f.seq
        and d.state = (case when f.is_repeat then 'i' else 'q' end)::"char"
        and f.seq <> all(gone.seqs) and f.seq <> all(array(select seq from unwanted))
        -- It was fresh enough when it was claimed; since then it may have waited, for the database itself too. Whoever
        -- claims it next finds that nobody can know any more.
        and (not f.is_repeat or $20::float8 is null or d.in_flight_at > now() - $20::float8 * interval '1 millisecond')
      returning d.seq, f.is_repeat
    ),
    left_out as (
      update deliveries d set state = ${endsAs('s')}, reason = u.reason || ${EARLIER_TRY}, next_try_at = null
      from allowed, unwanted u where d.campaign_id = $3::uuid and d.seq = u.seq and d.state = 'q'
      returning d.state
    ),
    moved as (
      select
        count(*) filter (where state = 'q') as back, count(*) filter (where state = 'a') as accepted,
        count(*) filter (where state = 'f') as failed, count(*) filter (where state = 'u') as unknown,
        count(*) filter (where state <> 'i') as ended, count(*) filter (where is_delivered) as delivered
      from settled
    ),
    counted as (
      update runs r set
        queued = r.queued + m.back - f.n - l.n,
        suppressed = r.suppressed + l.n - l.doubtful,
        in_flight = r.in_flight - m.ended + f.n,
        accepted = r.accepted + m.accepted,
        delivered = r.delivered + m.delivered,
        -- Counted here are only those whose arrival nobody reports.
        is_presumed = r.is_presumed or m.delivered > 0,
        failed = r.failed + m.failed,
        unknown = r.unknown + m.unknown + l.doubtful,
        is_open = r.queued + m.back - l.n + r.in_flight - m.ended > 0
      from moved m, (select count(*) filter (where not is_repeat) as n from fenced) f,
        (select count(*) as n, count(*) filter (where state = 'u') as doubtful from left_out) l
      where r.campaign_id = $3::uuid and (m.ended > 0 or f.n > 0 or l.n > 0)
    )
    select exists (select from held) as holds, exists (select from allowed) as "maySend",
      array(select seq from fenced) as fenced`,
}
