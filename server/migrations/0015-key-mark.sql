-- By which the key that this database is used with is recognised; nothing can be read or signed with it.
create table key_mark (
  only_row boolean primary key default true check (only_row),
  mark text not null
);
