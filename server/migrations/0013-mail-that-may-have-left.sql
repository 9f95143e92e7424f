-- Nobody could say whether the mail was taken, and it is sent again because the user asked for it. Whatever becomes of
-- the second one, the first may have arrived: such a delivery ends accepted or unknown, never as one that got nothing.
alter table deliveries add column may_have_left boolean not null default false;
