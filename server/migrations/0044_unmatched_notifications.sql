-- So that authentic messages about references that are not ours do not keep the sweep from those that are.

-- Since when no attempt is known that the message is about. It is applied if one appears, and can be dismissed.
alter table operator_notifications add column unmatched_at timestamptz;
create index operator_notifications_to_apply on operator_notifications (received_at)
  where applied_at is null and unmatched_at is null;
create index operator_notifications_unmatched on operator_notifications (received_at, notification_id)
  where applied_at is null and unmatched_at is not null;
