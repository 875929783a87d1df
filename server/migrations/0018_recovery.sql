-- Recovery: what a restored database cannot know, because it happened in the time that was lost.

create table recoveries (
  recovery_id uuid primary key,
  -- The point in time the database was restored to.
  lost_from timestamptz not null,
  -- Until here anything may have been done that the database does not know of. What is older is never sent again.
  begun_at timestamptz not null,
  -- When every payment that was open then had been enquired about. Until then nothing is sent.
  asked_at timestamptz,
  -- Providers at which no lost payment is expected any more.
  resumed_providers text[] not null default '{}',
  -- Until then every operator is asked before anything is sent to it.
  ended_at timestamptz,
  constraint recoveries_lose_the_past check (lost_from <= begun_at),
  constraint recoveries_end_after_asking check (ended_at is null or asked_at is not null)
);

create function refuse_to_forget_a_recovery() returns trigger language plpgsql as $$
begin
  raise exception 'a recovery is never deleted' using errcode = 'check_violation';
end $$;
create trigger recoveries_are_never_deleted before delete or truncate on recoveries
  execute function refuse_to_forget_a_recovery();

-- Unmatched operator payments: what operators paid in the time that was lost, as lines of their reports say. While any
-- line says so, its payment is not sent; once a line is approved, its money is in the books, whether or not the
-- merchant sends it again.
create table unmatched_payments (
  -- Of its transfers, too.
  unmatched_id uuid primary key,
  provider text not null,
  -- Ours, as the operator's report has it. No payment here has it: it was lost with it.
  reference text not null,
  -- IN: to us. OUT: from us. A payment that was reversed is in a report both ways.
  direction text not null constraint unmatched_payments_direction check (direction in ('IN', 'OUT')),
  -- The line that says so, in operator_report_lines. Each line has a row of its own: it is approved or rejected alone.
  line_hash bytea not null,
  country text not null,
  currency text not null,
  amount numeric(22,4) not null constraint unmatched_payments_amount_positive check (amount > 0),
  occurred_at timestamptz not null,
  found_at timestamptz not null,
  -- When its line was approved, or imported where none need approve. Until then it only keeps the payment from being
  -- sent.
  approved_at timestamptz,
  -- When its money was posted to SUSPENSE; null where its payment was known again before, or another line says the
  -- same.
  posted_at timestamptz,
  -- When its payment was in the books again, and its money left SUSPENSE.
  released_at timestamptz,
  -- That payment.
  merchant_id uuid,
  kind payment_kind,
  payment_id uuid,
  -- When its line was rejected: it counts for nothing from then on.
  withdrawn_at timestamptz,
  constraint unmatched_payments_posted_after_approval check (posted_at is null or approved_at is not null),
  constraint unmatched_payments_withdrawn_or_released check (withdrawn_at is null or released_at is null),
  constraint unmatched_payments_withdrawn_before_approval check (withdrawn_at is null or approved_at is null),
  constraint unmatched_payments_released_to_one check (
    num_nulls(released_at, merchant_id, kind, payment_id) in (0, 4))
);
create unique index unmatched_payments_of_line on unmatched_payments (provider, line_hash) where withdrawn_at is null;
-- Whatever lines say, the money of one payment is posted once.
create unique index unmatched_payments_posted_once on unmatched_payments (provider, reference, direction)
  where posted_at is not null and withdrawn_at is null;
create index unmatched_payments_unposted on unmatched_payments (provider)
  where approved_at is not null and posted_at is null and released_at is null and withdrawn_at is null;
-- A search for a payment knows its reference, and not always its provider.
create index unmatched_payments_by_reference on unmatched_payments (reference);

create function refuse_to_rewrite_a_unmatched_payment() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator paid is posted once and released once' using errcode = 'check_violation';
end $$;
create trigger unmatched_payments_are_released_once before update on unmatched_payments for each row
  when (old.released_at is not null or old.withdrawn_at is not null
    or (old.posted_at is not null and new.posted_at is distinct from old.posted_at)
    or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
    or (new.unmatched_id, new.provider, new.reference, new.direction, new.line_hash, new.country, new.currency,
        new.amount)
      is distinct from
       (old.unmatched_id, old.provider, old.reference, old.direction, old.line_hash, old.country, old.currency,
        old.amount))
  execute function refuse_to_rewrite_a_unmatched_payment();
create trigger unmatched_payments_are_never_deleted before delete on unmatched_payments
  for each row execute function refuse_to_change_the_past();
