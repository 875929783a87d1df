-- Payments: their identifiers for ever, their state, what happened to them and each attempt at an operator.

create type payment_kind as enum ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE');
create type payment_state as enum ('ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED');
create type next_action as enum ('SUBMIT', 'ENQUIRE');

-- Identifiers are unique per merchant and kind, for ever: this table is never pruned.
create table payment_keys (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  created_at timestamptz not null,
  -- Tells the request that made the payment from its repeats when the answer to COMMIT was lost.
  request_id uuid not null,
  -- Of the request as first accepted; a reuse with another body can be shown to the merchant.
  fingerprint bytea not null,
  primary key (merchant_id, kind, payment_id)
);

create table payments (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- Set only where the merchant wrote the identifier with capital letters.
  written_id text,
  generation text not null,
  state payment_state not null,
  amount numeric(22,4) not null constraint payments_amount_positive check (amount > 0),
  amount_text text not null constraint payments_amount_text_equals_amount check (amount_text::numeric = amount),
  fee numeric(22,4) not null constraint payments_fee_not_negative check (fee >= 0),
  currency text not null,
  country text not null,
  provider text not null,
  connector text not null,
  -- Phone number, message, references and metadata, sealed under the merchant's data key.
  sealed_details bytea not null,
  created_at timestamptz not null,
  next_action next_action,
  next_action_at timestamptz,
  enquiry_count integer not null default 0,
  event_count integer not null default 0,
  provider_transaction_id text,
  failure_code text,
  primary key (merchant_id, kind, payment_id),
  foreign key (merchant_id, kind, payment_id) references payment_keys,
  constraint payments_open_has_next_action check (
    state in ('COMPLETED', 'FAILED', 'ENQUEUED') or (next_action is not null and next_action_at is not null)
  ),
  constraint payments_final_has_no_next_action check (
    state not in ('COMPLETED', 'FAILED') or (next_action is null and next_action_at is null)
  ),
  constraint payments_failed_has_code check ((state = 'FAILED') = (failure_code is not null))
);
-- The sweep looks here for steps whose wake-up is missing.
create index payments_due on payments (next_action_at) where next_action is not null;

create function refuse_to_leave_final_state() returns trigger language plpgsql as $$
begin
  raise exception 'payment % is % and final', old.payment_id, old.state using errcode = 'check_violation';
end $$;
create trigger payments_final_is_final before update on payments for each row
  when (old.state in ('COMPLETED', 'FAILED') and (
    new.state is distinct from old.state or new.amount is distinct from old.amount
    or new.fee is distinct from old.fee or new.currency is distinct from old.currency
    or new.failure_code is distinct from old.failure_code))
  execute function refuse_to_leave_final_state();

-- What happened, in order. Never edited.
create table payment_events (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  event_no integer not null,
  occurred_at timestamptz not null,
  event text not null,
  from_state payment_state,
  to_state payment_state not null,
  -- Code-like facts only: an outcome, a reason. Personal data belongs into the sealed evidence.
  detail text,
  sealed_evidence bytea,
  primary key (merchant_id, kind, payment_id, event_no)
);

create function refuse_to_change_the_past() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
create trigger payment_events_are_append_only before update or delete on payment_events
  for each row execute function refuse_to_change_the_past();

-- Inserting the row is the permission to call the operator; whoever did not insert it only enquires.
create table payment_attempts (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  attempt_no integer not null,
  reference text not null constraint payment_attempts_reference_unique unique,
  claimed_at timestamptz not null,
  -- Moved forward by a resubmission, which reuses the reference.
  send_deadline_at timestamptz not null,
  send_count integer not null default 1,
  provider_reference text,
  primary key (merchant_id, kind, payment_id, attempt_no)
);

-- An operator's transaction belongs to one payment; a second claimant opens a case.
create table provider_transactions (
  provider text not null,
  provider_transaction_id text not null,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  primary key (provider, provider_transaction_id)
);

-- Exact-match search over sealed values, by keyed hash.
create table payment_search (
  merchant_id uuid not null,
  value_hash bytea not null,
  kind payment_kind not null,
  payment_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, value_hash, created_at, kind, payment_id)
);
