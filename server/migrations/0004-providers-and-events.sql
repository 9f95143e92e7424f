-- Provider accounts of users' own, and what providers report afterwards.

-- A provider other than `resend` is an account of the user's own. Secrets are sealed, each bound to this user and field.
alter table settings
  add column provider text not null default 'resend'
    check (provider in ('resend', 'smtp', 'sendgrid', 'mailgun', 'ses')),
  -- The relay; for SES the region.
  add column host text not null default '',
  add column port integer,
  add column login text not null default '',
  add column sealed_password text,
  add column sealed_api_key text,
  add column send_from_own_address boolean not null default false,
  -- Names this user in the address that their provider reports to; made when first needed. No secret by itself: a report
  -- is proven by its signature.
  add column webhook_token text unique;

-- What proves that an event comes from a provider: a signing key, or for SES the topic. Kept when the user moves to
-- another provider, because reports on what was sent before still come in.
create table webhook_keys (
  user_id uuid not null references users on delete cascade,
  provider text not null,
  sealed_key text not null,
  primary key (user_id, provider)
);

-- Null: the product's own address.
alter table campaigns add column from_address text;

alter table deliveries
  -- When the first event came in: proof that the provider has the mail, whatever its answer was or was not.
  add column confirmed_at timestamptz,
  -- Why it came back: h(ard), s(oft), m(essage refused for what it is), f(ailed at the provider).
  add column bounce "char",
  add column clicked_at timestamptz,
  add column unsubscribed_at timestamptz;

alter table runs add column clicked integer not null default 0;

-- What providers reported, each event once however often it is told.
create table delivery_events (
  -- A hash of the account and the provider's own id of the event.
  id uuid primary key,
  campaign_id uuid not null,
  seq integer not null,
  kind text not null,
  at timestamptz not null,
  words text
);
create index delivery_events_by_delivery on delivery_events (campaign_id, seq);

-- A foreign key is looked up for every single row. Deliveries come in by the hundred thousand, always in the transaction
-- of their campaign, and events only for deliveries that are there; what is left to do is to go with the campaign.
alter table deliveries drop constraint deliveries_campaign_id_fkey;
create function delete_with_campaign() returns trigger language plpgsql as $$
begin
  delete from delivery_events where campaign_id = old.id;
  delete from deliveries where campaign_id = old.id;
  return null;
end $$;
create trigger delete_with_campaign after delete on campaigns for each row execute function delete_with_campaign();
