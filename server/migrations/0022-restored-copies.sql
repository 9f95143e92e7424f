-- Of a copy of the database, restored or promoted: what became of a campaign after the copy was made is not known here.
-- Whoever gets nothing more of it may have got it from the original, so that nobody ends as one that got nothing. Told by
-- numbers: to mark each campaign would take the longer the more there are, while nothing runs.
alter table installation add column copy_number integer not null default 1;
alter table runs add column copy_number integer not null default 1;
update runs set copy_number = 0 where is_open and paused_reason like 'This database was restored from a backup%';
