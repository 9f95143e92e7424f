-- How many of `bounced` never left: the provider took them and then did not send them. Counted from here on; null for the
-- campaigns that are there already, since finding it out would take reading every delivery while all sending waits. No check
-- on it: a process of the version before notes events without moving it.
alter table runs add column unsent integer;
alter table runs alter column unsent set default 0;
