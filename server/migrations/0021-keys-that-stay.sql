-- Keys are kept as long as their campaigns, each of which is far larger: nobody looks for old ones any more.
drop index idempotency_keys_by_age;
