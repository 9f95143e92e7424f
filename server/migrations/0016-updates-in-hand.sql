-- Which people have an update that is being handled: only a few at any time, however many messages wait.
create index telegram_updates_in_hand on telegram_updates (bot_id, telegram_user_id)
  where handled_at is null and claim is not null;
