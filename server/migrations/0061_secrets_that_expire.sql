-- Operators let some passwords end after a number of days; the host is warned before. Null: when the row was set.
alter table operator_credentials add column secret_changed_at timestamptz;
