-- The Telegram bot: who is linked, what they said, what they are shown, and what they are still to be told.

-- How often a campaign was sent in whole or in part: each time that it ends somebody may want to know.
alter table runs add column rounds integer not null default 1;

-- What is known of a bot, for processes that do not talk to it themselves.
create table telegram_bots (
  bot_id bigint primary key,
  username text not null default '',
  -- Why it does not work just now, as a sentence.
  problem text,
  -- When a process last looked after it.
  seen_at timestamptz not null default now()
);

-- One Telegram account for a user, and one user for a Telegram account. A private chat has the number of its person.
create table telegram_links (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users on delete cascade,
  telegram_user_id bigint not null unique,
  first_name text not null default '',
  username text,
  linked_at timestamptz not null default now(),
  -- Since when nothing can be told them, because they have blocked the bot.
  blocked_at timestamptz,
  tells_finished boolean not null default true,
  tells_paused boolean not null default true,
  tells_bounces boolean not null default true,
  tells_replies boolean not null default true,
  time_zone text not null default 'UTC',
  -- Minutes after midnight in that zone, both or none; the second may be the smaller one.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  check ((quiet_from is null) = (quiet_until is null))
);

-- A code that makes a link, once; only its hash.
create table telegram_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null unique,
  time_zone text not null,
  expires_at timestamptz not null
);

-- What Telegram has told us: kept before it is confirmed, and then for as long as Telegram may tell it again.
create table telegram_updates (
  bot_id bigint not null,
  update_id bigint not null,
  -- Whose turn it is: the updates of one person are handled one after the other.
  telegram_user_id bigint not null,
  content jsonb not null,
  received_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- Who handles it, and until when that counts.
  claim uuid,
  claimed_until timestamptz,
  handled_at timestamptz,
  primary key (bot_id, update_id)
);
create index telegram_updates_waiting on telegram_updates (bot_id, telegram_user_id, update_id) where handled_at is null;
create index telegram_updates_by_age on telegram_updates (received_at);

-- What somebody is in the middle of saying.
create table telegram_dialogues (
  link_id uuid primary key references telegram_links on delete cascade,
  kind text not null,
  state jsonb not null,
  updated_at timestamptz not null default now()
);

-- A letter that is being put together in the chat; once it is sent its campaign stands here, for good.
create table telegram_letters (
  id uuid primary key,
  link_id uuid not null references telegram_links on delete cascade,
  template_id uuid,
  subject text not null default '',
  body text not null default '',
  -- As typed; a list of any length that can be sent.
  recipients text[] not null default '{}',
  campaign_id uuid references campaigns on delete set null,
  created_at timestamptz not null default now()
);
create index telegram_letters_by_link on telegram_letters (link_id, created_at);

-- Messages of the bot that stand for something: a campaign whose progress they show, or a mail that is answered by
-- answering them.
create table telegram_cards (
  link_id uuid not null references telegram_links on delete cascade,
  message_id bigint not null,
  campaign_id uuid references campaigns on delete cascade,
  inbox_message_id uuid references inbox_messages on delete cascade,
  -- A hash of what it shows: nothing is edited that would look the same.
  shown text not null default '',
  -- It follows what happens.
  is_live boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (link_id, message_id)
);
create index telegram_cards_live on telegram_cards (campaign_id) where is_live;

-- What somebody is to be told, once.
create table telegram_alerts (
  id bigint generated always as identity primary key,
  link_id uuid not null references telegram_links on delete cascade,
  kind text not null check (kind in ('finished', 'paused', 'bounces', 'reply')),
  -- The campaign or the message.
  about uuid not null,
  -- What makes it news again: another round, another reason.
  occasion text not null,
  created_at timestamptz not null default now(),
  claimed_until timestamptz,
  told_at timestamptz,
  unique (link_id, kind, about, occasion)
);
create index telegram_alerts_waiting on telegram_alerts (link_id, id) where told_at is null;
