-- What a person has begun to write. The browser makes the id, so that saving twice is one draft.
create table drafts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  subject text not null,
  body text not null,
  sender_name text not null,
  reply_to text not null,
  -- A JSON list as text: up to 100,000 entries as they were typed, read and written only as a whole.
  recipients text not null,
  recipient_count integer not null,
  updated_at timestamptz not null default now()
);
create index drafts_by_user on drafts (user_id, updated_at desc);

-- Statistics are sums over the runs of a user. Neither column ever changes: counts are still updated in place.
create index runs_by_user on runs (user_id, created_at);
