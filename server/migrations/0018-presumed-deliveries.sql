-- Whether some of those who count as delivered were never reported as such: their mail went by plain SMTP, which reports
-- nothing, and counted when the server took it. Which provider carried a campaign is known at that moment only.
alter table runs add column is_presumed boolean not null default false;

-- Of campaigns that are there already the first thousand tell: taken and delivered at the same moment, and no report.
update runs r set is_presumed = true
where r.delivered > 0 and exists (
  select from deliveries d where d.campaign_id = r.campaign_id and d.seq <= 1000
    and d.delivered_at = d.accepted_at and d.confirmed_at is null and d.bounce is null);
