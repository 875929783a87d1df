-- Notifications of operators, stored raw and durably before they are answered: some operators deliver once.

create table operator_notifications (
  notification_id uuid primary key,
  connector text not null,
  received_at timestamptz not null,
  -- The raw message; sealed, because it names the payer.
  sealed_message bytea not null,
  reading text not null constraint operator_notifications_reading
    check (reading in ('AUTHENTIC', 'HINT', 'UNREADABLE')),
  reference text,
  -- Null until its effect is committed; the sweep takes up what a crash left.
  applied_at timestamptz
);
create index operator_notifications_unapplied on operator_notifications (received_at) where applied_at is null;
