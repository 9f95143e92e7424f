-- What the tokens in mails were signed with before the master key was replaced, sealed under the one that took its place:
-- who got a mail then can still leave by its link, and what comes back of it is still known. No master key is among them.
create table former_token_keys (
  id uuid primary key,
  -- Which kind of token: a key of one is worth nothing for another.
  purpose text not null,
  sealed_key text not null,
  replaced_at timestamptz not null default now()
);
