-- So that strangers can neither fill the database nor spend an operator's quota with messages that nothing vouches for.

alter table payment_attempts
  -- How often a hint made us ask, and when the last one did.
  add column hint_count int not null default 0,
  add column hinted_at timestamptz;

-- A sample of messages that were ignored; they go after a day.
alter table operator_notifications add column is_doubtful boolean not null default false;
