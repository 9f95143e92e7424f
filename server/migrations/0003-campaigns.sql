-- What users send, and what becomes of it.

-- A person's sender identity; the provider's settings come with their own table.
create table settings (
  user_id uuid primary key references users on delete cascade,
  from_name text not null default '',
  from_email text not null default '',
  updated_at timestamptz not null default now()
);

create table templates (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  subject text not null,
  body text not null,
  usage_count integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index templates_by_user on templates (user_id, created_at desc);

-- What a user sent, to one person or a million: the letter as it was typed.
create table campaigns (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  subject text not null,
  body text not null,
  sender_name text not null,
  reply_to text not null,
  recipient_count integer not null,
  created_at timestamptz not null default now()
);
create index campaigns_by_user on campaigns (user_id, created_at desc, id desc);

-- The first answer to a request that names a key; a repetition gets the same one.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  request_hash text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The sending of a campaign: where it stands, and how many deliveries are in which state. Every statement that changes
-- a delivery's state changes the counts with it, so that nobody ever has to count. Only `is_open` is indexed: all else
-- changes hundreds of times a second and must stay a cheap update in place.
create table runs (
  campaign_id uuid primary key references campaigns on delete cascade,
  user_id uuid not null,
  -- Whose provider account carries it.
  account text not null,
  state text not null check (state in ('sending', 'paused', 'cancelled')),
  paused_reason text,
  -- False once nothing is queued or in flight: nobody looks here for work any more.
  is_open boolean not null,
  -- The highest delivery number that was ever claimed; those behind it wait for their first try.
  cursor integer not null default 0,
  last_seq integer not null,
  queued integer not null default 0 check (queued >= 0),
  in_flight integer not null default 0 check (in_flight >= 0),
  accepted integer not null default 0 check (accepted >= 0),
  failed integer not null default 0 check (failed >= 0),
  unknown integer not null default 0 check (unknown >= 0),
  suppressed integer not null default 0 check (suppressed >= 0),
  cancelled integer not null default 0 check (cancelled >= 0),
  delivered integer not null default 0,
  bounced integer not null default 0,
  complained integer not null default 0,
  opened integer not null default 0,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
create index runs_open on runs (created_at) where is_open;

-- One recipient's copy. Half of each page is left free: a row changes twice in its ordinary life (in flight, settled),
-- and finds room beside itself instead of costing two new index entries each time.
create table deliveries (
  campaign_id uuid not null references campaigns on delete cascade,
  seq integer not null,
  address text not null,
  -- Equal for all spellings of one mailbox; in the C collation the unique index also serves searches by beginning.
  address_key text collate "C" not null,
  name text not null default '',
  -- Letters keep the row small: q(ueued), i(n flight), a(ccepted), f(ailed), u(nknown), s(uppressed), c(ancelled).
  state "char" not null default 'q',
  attempts smallint not null default 0,
  -- Null unless this delivery waits for a time of its own: a later try, or the repetition of a doubtful call.
  next_try_at timestamptz,
  -- The first delivery of the call that this one went out with; a doubtful call is repeated as it was.
  call_seq integer,
  call_size smallint,
  in_flight_at timestamptz,
  reason text,
  provider_id text,
  accepted_at timestamptz,
  delivered_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  opened_at timestamptz,
  primary key (campaign_id, seq),
  unique (campaign_id, address_key)
) with (fillfactor = 50);
create index deliveries_waiting on deliveries (campaign_id, next_try_at) where next_try_at is not null;

-- A piece of a campaign that one worker has claimed. Whoever holds the token may send and record; nobody holds an open
-- window (token null). The lease runs on the database's clock.
create table delivery_windows (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  seqs integer[] not null,
  token uuid,
  lease_until timestamptz
);
create index delivery_windows_by_campaign on delivery_windows (campaign_id);
create index delivery_windows_by_lease on delivery_windows (lease_until);

-- A provider account that must not be called for a while, and why: shared by all workers.
create table account_holds (
  account text primary key,
  held_until timestamptz not null,
  -- Until when the provider itself asked us to wait: the end of an outage does not end that.
  asked_until timestamptz,
  -- Set while the account is out of order; people see it beside the campaigns that wait for it.
  outage text
);

-- Which provider stands behind an account, and since when. One that took over does not know the calls of the one before
-- it: what is in doubt from then cannot be asked about again.
create table account_ways (
  account text primary key,
  identity text not null,
  since timestamptz not null
);

-- Which database this is. A restored copy has the tables but not the identity, and then nothing is sent by itself.
create table installation (
  only_row boolean primary key default true check (only_row),
  identity text not null
);
