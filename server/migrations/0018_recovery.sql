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
  -- When its line was rejected, or its file voided and what was posted for it posted back: it counts for nothing from
  -- then on.
  withdrawn_at timestamptz,
  -- When two people decided whose its money is: see lost_payment_decisions.
  decided_at timestamptz,
  constraint unmatched_payments_posted_after_approval check (posted_at is null or approved_at is not null),
  constraint unmatched_payments_end_once check (num_nonnulls(withdrawn_at, released_at, decided_at) <= 1),
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
  when (old.released_at is not null or old.withdrawn_at is not null or old.decided_at is not null
    or (old.posted_at is not null and new.posted_at is distinct from old.posted_at)
    or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
    or (new.unmatched_id, new.provider, new.reference, new.direction, new.line_hash, new.country, new.currency,
        new.amount)
      is distinct from
       (old.unmatched_id, old.provider, old.reference, old.direction, old.line_hash, old.country, old.currency,
        old.amount))
  execute function refuse_to_rewrite_a_unmatched_payment();
-- What was approved is withdrawn only when two people have voided every file with its line.
create function require_a_voided_line() returns trigger language plpgsql as $$
begin
  if exists (select from operator_report_lines l
      where (l.provider, l.line_hash) = (new.provider, new.line_hash) and l.voided) then
    return new;
  end if;
  raise exception 'what was approved of a lost payment is withdrawn with its file' using errcode = 'check_violation';
end $$;
create trigger unmatched_payments_are_withdrawn_before_approval before update on unmatched_payments for each row
  when (new.withdrawn_at is not null and old.withdrawn_at is null and old.approved_at is not null)
  execute function require_a_voided_line();
create trigger unmatched_payments_are_never_deleted before delete on unmatched_payments
  for each row execute function refuse_to_change_the_past();

-- Whose the money of an unmatched payment is that its merchant does not send again, as two people decided. Every cell
-- has each decision: the payment is not sent from any, and should its merchant send it again after all, it completes
-- by what is written here, and what was decided is posted back.
create table lost_payment_decisions (
  -- Of its transfers, too.
  decision_id uuid primary key,
  provider text not null,
  reference text not null,
  direction text not null constraint lost_payment_decisions_direction check (direction in ('IN', 'OUT')),
  country text not null,
  currency text not null,
  amount numeric(22,4) not null constraint lost_payment_decisions_amount_positive check (amount > 0),
  -- The operator's, as the line has it.
  provider_transaction_id text,
  occurred_at timestamptz not null,
  -- MERCHANT: it is credited to a merchant's wallet, or charged. PLATFORM: the platform keeps it, or bears it.
  -- OTHER_CELL: another cell has the payment in its books.
  bearer text not null constraint lost_payment_decisions_bearer check (
    bearer in ('MERCHANT', 'PLATFORM', 'OTHER_CELL')),
  bearer_merchant_id uuid,
  -- The provider of that merchant's wallet; empty for a wallet shared by all providers of the country.
  wallet_provider text not null default '',
  -- In which it was decided and posted.
  cell text not null constraint lost_payment_decisions_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  decided_at timestamptz not null,
  -- In all other cells.
  is_copy boolean not null default false,
  -- When its payment was in the books after all, and what was decided was posted back; and that payment.
  posted_back_at timestamptz,
  merchant_id uuid,
  kind payment_kind,
  payment_id uuid,
  constraint lost_payment_decisions_once unique (provider, reference, direction),
  constraint lost_payment_decisions_of_a_merchant check ((bearer = 'MERCHANT') = (bearer_merchant_id is not null)),
  constraint lost_payment_decisions_posted_back_for_one check (
    num_nulls(posted_back_at, merchant_id, kind, payment_id) in (0, 4))
);
create index lost_payment_decisions_by_reference on lost_payment_decisions (reference);

create function require_lost_payment_approval() returns trigger language plpgsql as $$
begin
  if exists (select from approvals a where a.kind = 'LOST_PAYMENT' and a.approval_id = new.decision_id
      and (a.request ->> 'provider', a.request ->> 'reference', a.request ->> 'direction', a.request ->> 'bearer')
        = (new.provider, new.reference, new.direction, new.bearer)
      and (a.request ->> 'amount')::numeric = new.amount
      and (a.request ->> 'merchantId')::uuid is not distinct from new.bearer_merchant_id
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'two people decide whose a lost payment is' using errcode = 'check_violation';
end $$;
create trigger lost_payment_decisions_are_approved before insert on lost_payment_decisions for each row
  when (not new.is_copy) execute function require_lost_payment_approval();
create trigger lost_payment_decisions_are_posted_back_once before update on lost_payment_decisions for each row
  when (old.posted_back_at is not null
    or (new.decision_id, new.provider, new.reference, new.direction, new.country, new.currency, new.amount,
        new.occurred_at, new.bearer, new.wallet_provider, new.cell, new.decided_at, new.is_copy)
      is distinct from
       (old.decision_id, old.provider, old.reference, old.direction, old.country, old.currency, old.amount,
        old.occurred_at, old.bearer, old.wallet_provider, old.cell, old.decided_at, old.is_copy)
    or new.bearer_merchant_id is distinct from old.bearer_merchant_id
    or new.provider_transaction_id is distinct from old.provider_transaction_id)
  execute function refuse_to_change_the_past();
create trigger lost_payment_decisions_are_never_deleted before delete on lost_payment_decisions
  for each row execute function refuse_to_change_the_past();

create function require_lost_payment_decision() returns trigger language plpgsql as $$
begin
  if exists (select from lost_payment_decisions d
      where (d.provider, d.reference, d.direction) = (new.provider, new.reference, new.direction)) then
    return new;
  end if;
  raise exception 'an unmatched payment is decided on by people' using errcode = 'check_violation';
end $$;
create trigger unmatched_payments_are_decided_on before update on unmatched_payments for each row
  when (new.decided_at is not null and old.decided_at is null) execute function require_lost_payment_decision();

-- Payments that another cell's reports name as lost. No payment here is sent while that cell has them: its merchant may
-- have moved here before the report came. A row is deleted when the other cell no longer has them.
create table lost_payment_marks (
  provider text not null,
  reference text not null,
  direction text not null constraint lost_payment_marks_direction check (direction in ('IN', 'OUT')),
  -- Which has the line.
  cell text not null constraint lost_payment_marks_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  marked_at timestamptz not null,
  constraint lost_payment_marks_once primary key (provider, reference, direction, cell)
);
