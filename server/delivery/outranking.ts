/**
 * There is one reason for each person on the list, and their own wish is the strongest: a complaint, then an
 * unsubscription, then whatever is only known of the mailbox or was decided by the user. Otherwise a user who takes an old
 * bounce off the list would write to somebody who has left since. `letter` is SQL, as in the table.
 */
export const strengthOf = (letter: string): string => `position(${letter}::text in 'uc')`

/**
 * Behind `insert into suppressions as s`. What an unsubscription takes the place of is kept with it, since whoever
 * undoes it wants mails again, and does not know of a mailbox that is gone or of the user's own decision.
 */
export const UNLESS_OUTRANKED = `
  on conflict (user_id, address_key) do update set
    reason = excluded.reason, campaign_id = excluded.campaign_id, seq = excluded.seq, words = excluded.words,
    created_at = excluded.created_at,
    outranked = case when excluded.reason = 'u' then to_jsonb(s) end
  where ${strengthOf('excluded.reason')} > ${strengthOf('s.reason')}`
