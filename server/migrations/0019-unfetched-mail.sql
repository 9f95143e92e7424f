-- Mail that a provider told of and could not be had from it, until it comes; for a week its owner is told of what does not.
create table inbox_unfetched (
  inbox_id uuid not null references inboxes on delete cascade,
  -- What the provider calls it.
  mail text not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (inbox_id, mail)
);
