/** So often in a row, and the mailbox is as good as gone. */
export const SOFT_MAX = 5

/** A relay tells of no delivery: whether a mail arrived since is looked up in so many of the campaigns before. */
const CAMPAIGNS_MAX = 30
/** Beyond those campaigns nothing is known of what arrived; but so long without a bounce is no row any more. */
const ROW_DAYS = 90

/**
 * Soft bounces in a row, as parts of the statement that notes events: one that is news goes on with the row, a mail that
 * arrived in between has ended it. Mails that were sent later than the one that came back do not count: what becomes of
 * them is open. What this very statement notes (`noted`) is not in the tables yet.
 */
export const SOFT_BOUNCES = `
    come_back as (
      select distinct on (user_id, address_key) user_id, address_key, campaign_id, bounced_at
      from noted where is_worse and bounce = 's' order by user_id, address_key, bounced_at desc
    ),
    interrupted as (
      select k.user_id, k.address_key from come_back k
      join soft_bounces b using (user_id, address_key)
      join runs own on own.campaign_id = k.campaign_id
      where exists (
        select from (
          select r.campaign_id from runs r
          where r.user_id = k.user_id and r.created_at > b.last_at and r.created_at < own.created_at
          order by r.created_at desc limit ${CAMPAIGNS_MAX}
        ) c
        -- One at a time by the index of addresses, whatever the planner thinks of their number.
        cross join lateral (
          select from deliveries d
          where d.campaign_id = c.campaign_id and d.address_key = k.address_key
            and d.delivered_at is not null and d.bounce is null
            and not exists (
              select from noted o where o.campaign_id = d.campaign_id and o.seq = d.seq and o.bounce is not null
            )
          limit 1
        ) arrived
      )
    ),
    softened as (
      insert into soft_bounces as b (user_id, address_key, streak, last_at)
      select user_id, address_key, 1, bounced_at from come_back order by user_id, address_key
      on conflict (user_id, address_key) do update set
        streak = case when b.last_at < excluded.last_at - interval '${ROW_DAYS} days'
          or (b.user_id, b.address_key) in (select user_id, address_key from interrupted) then 1 else b.streak + 1 end,
        last_at = excluded.last_at
        where excluded.last_at > b.last_at
      returning user_id, address_key, streak
    ),
    eased as (
      delete from soft_bounces b using noted n
      where b.user_id = n.user_id and b.address_key = n.address_key
        and (n.delivered > 0 and b.last_at < n.delivered_at
          -- Somebody has read what was sent since, so that it arrived; an old mail would prove nothing.
          or (n.opened > 0 or n.clicked > 0) and b.last_at < n.accepted_at)
        and not exists (select from noted o where o.user_id = b.user_id and o.address_key = b.address_key and o.is_worse)
    )`
