-- Of a copy of the database, restored or promoted: what became of this campaign after the copy was made is not known
-- here. Whoever gets nothing more of it may have got it from the original, so that nobody ends as one that got nothing.
alter table runs add column is_restored boolean not null default false;
update runs set is_restored = true where is_open and paused_reason like 'This database was restored from a backup%';
