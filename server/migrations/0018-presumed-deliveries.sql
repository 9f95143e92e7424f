-- Of campaigns that are there already the first thousand deliveries tell: taken and delivered in the same moment, and
-- nothing heard before. This is found out before the table is locked. The offset keeps it at one look into the index for
-- each campaign, also where there are no statistics yet, as in a restored copy.
create table presumed_runs as
  select r.campaign_id from runs r
  where r.delivered > 0 and exists (
    select from deliveries d
    where d.campaign_id = r.campaign_id and d.seq <= 1000 and d.delivered_at = d.accepted_at and d.bounce is null
      and (d.confirmed_at is null or d.confirmed_at > d.accepted_at)
    offset 0);

-- Whether some of those who count as delivered were never reported as such: their mail went by plain SMTP, which reports
-- no deliveries, and counted when the server took it. Which provider carried a mail is known at that moment only. What a
-- worker of the version before sends from here on is not noted.
alter table runs add column is_presumed boolean not null default false;
update runs set is_presumed = true where campaign_id in (select campaign_id from presumed_runs);
drop table presumed_runs;
