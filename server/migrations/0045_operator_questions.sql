-- So that only the answer to a question of ours is believed, where an operator answers at an address and signs nothing.

create table operator_questions (
  question_id uuid primary key,
  -- Of the attempt or the balance that was asked about.
  reference text not null,
  asked_at timestamptz not null,
  -- The secret in the path of the address for the answer. The row is deleted when the answer comes.
  sealed_secret bytea not null
);
create index operator_questions_by_reference on operator_questions (reference);

alter table operator_notifications drop constraint operator_notifications_reading;
alter table operator_notifications add constraint operator_notifications_reading
  check (reading in ('AUTHENTIC', 'HINT', 'UNREADABLE', 'BALANCE', 'RECEIPT')) not valid;

alter table payment_attempts
  -- What a message told that nothing vouches for.
  add column told_receipt text,
  -- What an enquiry confirmed; a reversal names no other.
  add column proved_receipt text,
  -- A failure that needs a second enquiry.
  add column told_failure text,
  add column told_failure_at timestamptz,
  add constraint payment_attempts_told_failure check (num_nulls(told_failure, told_failure_at) in (0, 2)) not valid;
