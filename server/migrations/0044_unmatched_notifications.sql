-- So that authentic messages about references that are not ours do not keep the sweep from those that are.

-- Since when no attempt is known that the message is about. It is applied if one appears, and can be dismissed.
alter table operator_notifications add column unmatched_at timestamptz;
