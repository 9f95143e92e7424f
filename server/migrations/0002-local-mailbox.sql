-- Mail that the local mailbox took in place of a provider.
create table local_mailbox_messages (
  id uuid primary key default gen_random_uuid(),
  -- The sender's idempotency key: a repeated mail is the same mail.
  idempotency_key text not null unique,
  recipient text not null,
  recipient_key text not null,
  sender text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  headers jsonb not null,
  received_at timestamptz not null default now()
);
create index local_mailbox_messages_by_recipient on local_mailbox_messages (recipient_key, received_at desc, id desc);
create index local_mailbox_messages_by_time on local_mailbox_messages (received_at desc, id desc);
