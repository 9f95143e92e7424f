-- An id belongs to whoever uses it: that somebody else has a draft under the same one is told to nobody.
alter table drafts drop constraint drafts_pkey;
alter table drafts add primary key (user_id, id);
