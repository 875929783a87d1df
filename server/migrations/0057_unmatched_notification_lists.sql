-- So that the sweep and people find the messages that wait, each in a list of its own.
-- outside a transaction: messages are stored meanwhile.
create index concurrently if not exists operator_notifications_to_apply on operator_notifications (received_at)
  where applied_at is null and unmatched_at is null;
create index concurrently if not exists operator_notifications_unmatched
  on operator_notifications (received_at, notification_id)
  where applied_at is null and unmatched_at is not null;
