-- Whoever deletes a mail deletes what stands for it in a chat, without reading all that stands in all chats.
create index telegram_cards_by_mail on telegram_cards (inbox_message_id) where inbox_message_id is not null;
