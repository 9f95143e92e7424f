-- The copy of the database that a bot was introduced to. Of another one, restored or promoted, nobody knows whether what was
-- said to the bot before has been done: it is not done again, wherever it waits, also at Telegram.
alter table telegram_bots add column copy_number integer not null default 1;
update telegram_bots set copy_number = coalesce((select copy_number from installation), 1);
