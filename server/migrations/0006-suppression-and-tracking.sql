-- Who must not be mailed any more, what is counted as read, and which letters carry the means for both.

-- One row for each mailbox that a user may not write to. The first reason stays: what came later changes nothing.
create table suppressions (
  user_id uuid not null references users on delete cascade,
  address_key text collate "C" not null,
  address text not null,
  -- h(ard bounce), s(oft bounces in a row), c(omplaint), u(nsubscribed), m(anually added).
  reason "char" not null check (reason in ('h', 's', 'c', 'u', 'm')),
  -- The mail that caused it; null for what was added by hand.
  campaign_id uuid,
  seq integer,
  -- What the other side said.
  words text,
  created_at timestamptz not null default now(),
  primary key (user_id, address_key)
);
create index suppressions_by_time on suppressions (user_id, created_at desc, address_key);

-- Soft bounces in a row, of mailboxes that had any since the last mail that arrived.
create table soft_bounces (
  user_id uuid not null references users on delete cascade,
  address_key text collate "C" not null,
  streak smallint not null,
  -- The latest that was counted: older news about it does not count again, and does not end it either.
  last_at timestamptz not null,
  primary key (user_id, address_key)
);

-- Decided when a campaign is accepted: every try of a mail is the same mail, whatever is configured by then.
alter table campaigns
  -- Where the links in its mails lead: PUBLIC_URL as it was.
  add column link_origin text not null default '',
  add column has_unsubscribe boolean not null default false,
  add column tracks_opens boolean not null default false;

alter table deliveries add column machine_opened_at timestamptz;
alter table runs
  -- Fetched by a machine, whether somebody has read it as well or not.
  add column machine_opened integer not null default 0,
  add column unsubscribed integer not null default 0;

alter table settings
  add column tracks_opens boolean not null default true,
  -- Also in a mail to one person.
  add column always_unsubscribe boolean not null default false;
