-- The words of a message stand behind the mark of its owner and, from here on, the week in which it came: the newest hits
-- are found without looking at the older ones.
drop index inbox_messages_search;
update inbox_messages m set search = (
  select array_to_tsvector(array_agg(
    left(word, 6) || lpad(to_hex(floor(extract(epoch from m.received_at) / 604800)::integer), 4, '0') || substr(word, 7)))
  from unnest(tsvector_to_array(m.search)) as word
) where m.search is not null and m.search <> ''::tsvector;
create index inbox_messages_search on inbox_messages using gin (search) with (fastupdate = off);

-- An answer may come before the mail that it answers, which then finds it by this.
create index inbox_messages_by_answered on inbox_messages using gin (answered_ids) with (fastupdate = off)
  where answered_ids <> '{}';

-- What has come to an inbox on a day, in UTC: strangers decide how much they send, and not how much is kept.
create table inbox_days (
  inbox_id uuid not null references inboxes on delete cascade,
  -- Since 1970.
  day integer not null,
  messages integer not null,
  bytes bigint not null,
  primary key (inbox_id, day)
);
create index inbox_days_by_day on inbox_days (day);

-- That mail did not get in, and why; its owner is told for a week.
create table inbox_missed (
  inbox_id uuid not null references inboxes on delete cascade,
  -- `daily-limit`, `no-room`: its sender was asked to come again. `too-large`, `not-brought`: it stayed with the provider.
  reason text not null check (reason in ('daily-limit', 'no-room', 'too-large', 'not-brought')),
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (inbox_id, reason)
);
