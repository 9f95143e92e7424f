-- Mail that comes back: where it comes to, what it says, and which of our mails it answers.

create table inboxes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users on delete cascade,
  created_at timestamptz not null default now()
);

-- The name before the @. An inbox that was renamed keeps its old one: mails that are out name it as their reply-to.
create table inbox_names (
  name text collate "C" primary key,
  inbox_id uuid not null references inboxes on delete cascade,
  is_current boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index inbox_names_current on inbox_names (inbox_id) where is_current;
create index inbox_names_by_inbox on inbox_names (inbox_id);

create table inbox_messages (
  id uuid primary key default gen_random_uuid(),
  inbox_id uuid not null references inboxes on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Equal for a mail that comes twice, whichever way: of its bytes, without the lines that servers add on the way.
  identity bytea not null,
  received_at timestamptz not null default now(),
  -- As the server that brought it named them; the sender is empty for bounces and automatic answers.
  envelope_from text not null,
  envelope_to text not null,
  -- w(aiting to be read), r(ead), u(nreadable: only its source can be shown).
  state "char" not null default 'w' check (state in ('w', 'r', 'u')),
  -- i(nbox), a(rchived), m(achines: automatic replies).
  folder "char" not null default 'i' check (folder in ('i', 'a', 'm')),
  -- Where it goes back to from the archive.
  home "char" not null default 'i' check (home in ('i', 'm')),
  -- Written by a machine or to a list: never answered by ourselves, and marked.
  is_automatic boolean not null default false,
  opened_at timestamptz,
  -- Its own id, or that of the first message of the conversation that it belongs to.
  conversation_id uuid not null,
  -- Message-ID as in the mail, brackets included; empty where it has none. Known from the start, so that an answer that
  -- is read before the mail that it answers finds it.
  message_id text not null default '',
  -- The ids that it answers, nearest last.
  answered_ids text[] not null default '{}',
  from_name text not null default '',
  from_address text not null default '',
  -- Whom an answer goes to; empty where there is nobody.
  answers_to text not null default '',
  recipients text[] not null default '{}',
  subject text not null default '',
  preview text not null default '',
  -- The date that the mail gives itself.
  sent_at timestamptz,
  attachments integer not null default 0,
  -- The delivery that it answers.
  campaign_id uuid references campaigns on delete set null,
  seq integer,
  -- The words of sender, subject and text, each behind a mark of its owner: what is theirs stands together in the index.
  search tsvector,
  unique (inbox_id, identity)
);
create index inbox_messages_by_time on inbox_messages (user_id, folder, received_at desc, id desc) where state <> 'w';
create index inbox_messages_unopened on inbox_messages (user_id, folder) where opened_at is null and state <> 'w';
create index inbox_messages_by_message_id on inbox_messages (user_id, message_id) where message_id <> '';
create index inbox_messages_by_conversation on inbox_messages (conversation_id, received_at);
create index inbox_messages_by_campaign on inbox_messages (campaign_id) where campaign_id is not null;
create index inbox_messages_waiting on inbox_messages (received_at) where state = 'w';
-- Without a list of what is not sorted in yet, which every search would have to go through.
create index inbox_messages_search on inbox_messages using gin (search) with (fastupdate = off);

-- What is shown when a message is opened, apart from what every list needs.
create table inbox_contents (
  message_id uuid primary key references inbox_messages on delete cascade,
  text_body text,
  -- Cleaned already: nothing in it runs, and nothing in it is fetched.
  html_body text,
  has_remote_images boolean not null default false,
  cc text[] not null default '{}',
  -- [{name, type, size}], in the order of the mail; their bytes are read from the source.
  attachments jsonb not null default '[]'
);

-- In pieces, so that nobody has to hold a large mail twice to write or to read it.
create table inbox_sources (
  message_id uuid not null references inbox_messages on delete cascade,
  part integer not null,
  raw bytea not null,
  primary key (message_id, part)
);
-- Mail is mostly packed already.
alter table inbox_sources alter column raw set storage external;

-- A call of Mailgun is signed by a token, and not the mail that it brings: as long as the token is valid, it stands for
-- one mail, so that nobody who has seen the call can bring another one with it.
create table inbound_tokens (
  token_hash bytea primary key,
  mail_hash bytea not null,
  seen_at timestamptz not null default now()
);
create index inbound_tokens_by_time on inbound_tokens (seen_at);

alter table campaigns
  -- The message that this one answers, and the headers that say so; null for what is no reply.
  add column answers_message_id uuid references inbox_messages on delete set null,
  add column conversation_id uuid,
  add column in_reply_to text,
  add column mail_references text,
  -- Replies come to the user's inbox, to an address that tells which delivery is answered.
  add column has_reply_token boolean not null default false;
create index campaigns_by_conversation on campaigns (conversation_id) where conversation_id is not null;
create index campaigns_by_answered on campaigns (answers_message_id) where answers_message_id is not null;
