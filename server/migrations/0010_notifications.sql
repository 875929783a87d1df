-- Notifications of operators, stored raw and durably before they are answered: some operators deliver once.

create table operator_notifications (
  notification_id uuid primary key,
  connector text not null,
  received_at timestamptz not null,
  -- The raw message; encrypted, because it names the payer.
  encrypted_message bytea not null,
  reading text not null constraint operator_notifications_reading
    check (reading in ('AUTHENTIC', 'HINT', 'UNREADABLE', 'BALANCE', 'RECEIPT')),
  reference text,
  -- Null until its effect is committed; the sweep applies what a crash left.
  applied_at timestamptz,
  -- Since when no attempt is known that the message is about. It is applied if one appears, and can be dismissed.
  unmatched_at timestamptz,
  -- A sample of unauthenticated messages that were ignored, so that strangers can neither fill the database nor spend
  -- an operator's quota. They are deleted after a day.
  is_doubtful boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.02);
create index operator_notifications_unapplied on operator_notifications (received_at) where applied_at is null;
-- Messages about references that are not ours must not keep the sweep from those that are.
create index operator_notifications_to_apply on operator_notifications (received_at)
  where applied_at is null and unmatched_at is null;
create index operator_notifications_unmatched on operator_notifications (received_at, notification_id)
  where applied_at is null and unmatched_at is not null;

-- Where an operator answers at an address and signs nothing, only the answer to a question of ours is believed.
create table operator_questions (
  question_id uuid primary key,
  -- Of the attempt or the balance that was asked about.
  reference text not null,
  asked_at timestamptz not null,
  -- The secret in the path of the address for the answer. The row is deleted when the answer comes.
  encrypted_secret bytea not null
);
create index operator_questions_by_reference on operator_questions (reference);
