-- What an unsubscription has taken the place of, as the row was: a bounce, or an entry made by hand. Undoing the
-- unsubscription brings it back.
alter table suppressions add column outranked jsonb;
