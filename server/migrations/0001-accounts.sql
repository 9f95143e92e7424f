-- Accounts. A user exists once its address is proven; until then there are only registrations.

create table users (
  id uuid primary key,
  -- The address as its owner typed it, for mails and the screen.
  email text not null,
  -- What decides whether two spellings are the same mailbox.
  email_key text not null unique,
  password_hash text not null,
  created_at timestamptz not null default now()
);

-- One row for each attempt to sign up, known address or not: nothing about the answer, or what may follow, tells them
-- apart. The password belongs to the attempt, so that a code mailed for one attempt never activates another's password.
create table registrations (
  id uuid primary key,
  email text not null,
  email_key text not null,
  password_hash text not null,
  -- Null while no code is valid: none issued yet, all tries used, or the address has an account already.
  code_hash text,
  code_expires_at timestamptz,
  code_tries_left smallint not null default 0,
  created_at timestamptz not null default now()
);
create index registrations_by_email on registrations (email_key, created_at desc);
create index registrations_by_age on registrations (created_at);

create table sessions (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_age on sessions (last_seen_at);

create table password_resets (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_resets_by_user on password_resets (user_id);

-- Which mails went to an address lately, so that nobody can use us to flood a mailbox.
create table auth_mails (
  id bigint generated always as identity primary key,
  email_key text not null,
  kind text not null,
  sent_at timestamptz not null default now()
);
create index auth_mails_by_address on auth_mails (email_key, kind, sent_at);
create index auth_mails_by_age on auth_mails (sent_at);

-- Token buckets. Losing them in a crash only forgives: no need to write them twice.
create unlogged table rate_buckets (
  key text primary key,
  tokens double precision not null,
  refilled_at timestamptz not null
);
create index rate_buckets_by_age on rate_buckets (refilled_at);
