-- Payments: their identifiers, their state, what happened to them and each attempt at an operator.

create type payment_kind as enum (
  'DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'SPLIT_PAYMENT', 'CHECKOUT', 'STATEMENT');
create type payment_state as enum ('ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED');
create type next_action as enum ('SUBMIT', 'ENQUIRE');

-- Vacuum follows the shape of each table. What only grows is frozen the first time, so that no old row is ever read
-- again for the sake of transaction numbers. What changes is cleaned in small portions.

-- Identifiers are unique per merchant and kind, permanently: this table is never pruned. Merchants choose them, so each
-- is written to another page of this index. Everything else is found by a number that grows with time and is unique
-- across cells: what belongs to payments of one time is in a few pages of every other index.
create table payment_keys (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- It also tells the request that created the payment from its repeats, when the answer to COMMIT was lost.
  payment_no uuid not null constraint payment_keys_number_unique unique,
  created_at timestamptz not null,
  -- Of the request as first accepted; a reuse with another body can be shown to the merchant.
  fingerprint bytea not null,
  primary key (merchant_id, kind, payment_id)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);

create table payments (
  payment_no uuid primary key references payment_keys (payment_no),
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- Set only where the merchant wrote the identifier with capital letters.
  written_id text,
  api_version text not null,
  state payment_state not null,
  amount numeric(22,4) not null constraint payments_amount_positive check (amount > 0),
  amount_text text not null constraint payments_amount_text_equals_amount check (amount_text::numeric = amount),
  fee numeric(22,4) not null constraint payments_fee_not_negative check (fee >= 0),
  currency text not null,
  country text not null,
  provider text not null,
  connector text not null,
  -- Phone number, message, references and metadata, encrypted under the merchant's data key.
  encrypted_details bytea not null,
  created_at timestamptz not null,
  next_action next_action,
  next_action_at timestamptz,
  enquiry_count integer not null default 0,
  event_count integer not null default 0,
  provider_transaction_id text,
  failure_code text,
  -- Of a refund: the deposit that it returns.
  deposit_id uuid,
  -- Of a payout: the split payment that it is a part of. The collection has its split payment's identifier.
  split_payment_id uuid,
  -- When it ended: API v1 tells merchants, and a column is easier to find than an event.
  final_at timestamptz,
  -- Of a deposit: the checkout that it is an attempt of.
  checkout_id uuid,
  -- Of what sends money: the wallet that it is taken from. A part of a split payment is taken from the wallet that the
  -- collection went into, whatever its own provider and country.
  wallet_id uuid,
  -- The API token that requested it. Null where a person or a payer did.
  token_id text,
  -- The counters of limits that it counts in, 16 bytes for each; they get it back when it fails.
  counted_in bytea,
  -- Why it is held: it waits until that has ended, and release and claim pass it over. SCREENING: until the platform's
  -- screening service has answered. REVIEW: for people.
  held text constraint payments_held check (held in ('FREEZE', 'SCREENING', 'REVIEW')),
  -- The freeze, or the entry of a list that blocks the number.
  held_by uuid,
  constraint payments_open_has_next_action check (
    state in ('COMPLETED', 'FAILED', 'ENQUEUED') or (next_action is not null and next_action_at is not null)
  ),
  constraint payments_final_has_no_next_action check (
    state not in ('COMPLETED', 'FAILED') or (next_action is null and next_action_at is null)
  ),
  constraint payments_enqueued_names_wallet check (state <> 'ENQUEUED' or wallet_id is not null),
  constraint payments_held_waits check (held is null or (state = 'ENQUEUED' and next_action is null)),
  constraint payments_held_by_a_freeze check ((held_by is not null) = (held is not distinct from 'FREEZE')),
  constraint payments_failed_has_code check ((state = 'FAILED') = (failure_code is not null)),
  constraint payments_refund_names_its_deposit check ((kind = 'REFUND') = (deposit_id is not null))
-- Each payment leaves two dead rows. With the usual fifth of the table, ten million payments would carry two million
-- dead rows before they are cleaned, and then everything at once.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Workers take steps that are due from here. By action, provider and kind as well: many steps that have to wait must
-- not be read to find the others.
create index payments_due_steps on payments (next_action, provider, kind, next_action_at)
  where next_action is not null;
-- Payments that wait for their provider, the oldest of each wallet first: where one owes more than it has, its payments
-- must not be read to find those of another.
create index payments_enqueued on payments (provider, kind, merchant_id, wallet_id, created_at)
  where state = 'ENQUEUED' and next_action is null and held is null;
-- Payments that are held, the oldest of each freeze, provider, kind and merchant first: what may not be released yet
-- must not be read to find the others.
create index payments_held on payments (held, held_by, provider, kind, merchant_id, created_at)
  where held is not null;
-- Payments that screening or people hold, the oldest first: a page of the review queue is read from it.
create index payments_held_by_age on payments (held, created_at, payment_no) where held in ('SCREENING', 'REVIEW');
-- Deposits whose payer has gone, and what is from before a restore: by their age, however many others wait to be sent.
-- In other words than the index of steps: its entries must never be read for this, whatever PostgreSQL expects.
create index payments_unsent on payments (kind, created_at) where next_action is not distinct from 'SUBMIT';

-- At most one refund of a deposit is open; the sum of all is checked under the deposit's lock.
create unique index payments_one_open_refund on payments (merchant_id, deposit_id)
  where kind = 'REFUND' and state not in ('COMPLETED', 'FAILED');
create index payments_refunds_of_deposit on payments (merchant_id, deposit_id) where kind = 'REFUND';
create index payments_of_split on payments (merchant_id, split_payment_id) where split_payment_id is not null;
-- Of the attempts of a checkout only one can be in progress or have succeeded: this index decides it.
create unique index payments_one_attempt_of_checkout on payments (merchant_id, checkout_id)
  where checkout_id is not null and state <> 'FAILED';
create index payments_of_checkout on payments (merchant_id, checkout_id) where checkout_id is not null;

-- For monitors. Both hold only what they count, so they cost nothing while all is well: the second is always empty.
create index payments_in_reconciliation on payments (created_at) where state = 'IN_RECONCILIATION';
create index payments_without_step on payments (created_at)
  where next_action is null and state not in ('COMPLETED', 'FAILED', 'ENQUEUED');

-- What ended in a span of time, for a replay of what was never announced.
create index payments_by_end on payments (merchant_id, final_at) where final_at is not null;

-- So that people find payments. A payment enters the first two once, when it ends: its steps before cost nothing there.
-- The first one holds every column that a list can be filtered by, so a page is read from it alone.
create index payments_ended_of_merchant on payments
  (merchant_id, provider, kind, state, created_at, payment_no) include (amount)
  where state in ('COMPLETED', 'FAILED');
create index payments_ended_by_amount on payments
  (merchant_id, amount, created_at, payment_no) include (kind, state, provider)
  where state in ('COMPLETED', 'FAILED');
-- As small as the work that is in progress.
create index payments_open_of_merchant on payments (merchant_id, created_at, payment_no)
  where state not in ('COMPLETED', 'FAILED');
-- Transactions that completed a payment are in provider_transactions; these are the others.
create index payments_failed_transactions on payments (provider_transaction_id)
  where state = 'FAILED' and provider_transaction_id is not null;

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
  payment_no uuid not null,
  event_no integer not null,
  occurred_at timestamptz not null,
  event text not null,
  from_state payment_state,
  to_state payment_state not null,
  -- Code-like facts only: an outcome, a reason. Personal data belongs into the encrypted evidence.
  detail text,
  encrypted_evidence bytea,
  primary key (payment_no, event_no)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create trigger payment_events_are_append_only before update or delete on payment_events
  for each row execute function refuse_to_change_the_past();

-- Inserting the row is the permission to call the operator; a process that did not insert it only enquires.
create table payment_attempts (
  payment_no uuid not null,
  -- They stay where a merchant has moved away: by its reference a notification finds the payment.
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
  -- The payment is enquired about, resubmitted and refunded with the account it was sent with. Null: the operator has
  -- no accounts; then "not found" proves nothing.
  operator_account text,
  -- Of a deposit: the account that can reverse it.
  refund_account text,
  -- How many permissions to send ended before a byte was written: such a payment can be sent later.
  unsent_count integer not null default 0,
  -- What an unauthenticated message said.
  reported_receipt text,
  -- What an enquiry confirmed; a reversal names no other.
  proved_receipt text,
  -- A failure that needs a second enquiry.
  reported_failure text,
  reported_failure_at timestamptz,
  -- How often a hint made us enquire, and when the last one did.
  hint_count int not null default 0,
  hinted_at timestamptz,
  primary key (payment_no, attempt_no),
  constraint payment_attempts_unsent_were_permitted check (unsent_count between 0 and send_count),
  constraint payment_attempts_reported_failure check (num_nulls(reported_failure, reported_failure_at) in (0, 2))
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index payment_attempts_by_provider_reference on payment_attempts (provider_reference)
  where provider_reference is not null;

create function refuse_another_operator_account() returns trigger language plpgsql as $$
begin
  raise exception 'an attempt keeps its operator account' using errcode = 'check_violation';
end $$;
create trigger payment_attempts_keep_their_account before update on payment_attempts for each row
  when (old.operator_account is not null and new.operator_account is distinct from old.operator_account
    or old.refund_account is not null and new.refund_account is distinct from old.refund_account)
  execute function refuse_another_operator_account();

-- An operator's transaction belongs to one payment; a second claimant opens a case.
create table provider_transactions (
  provider text not null,
  provider_transaction_id text not null,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- When it became the payment's. With its merchant it comes into another cell unchanged.
  claimed_at timestamptz not null,
  primary key (provider, provider_transaction_id)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Where it is not written in capital letters without spaces: so are they compared, whoever wrote them. Most operators
-- write numbers, and those cost nothing here.
create index provider_transactions_comparable on provider_transactions
  (provider, (upper(replace(provider_transaction_id, ' ', '') collate "C")))
  where provider_transaction_id <> upper(replace(provider_transaction_id, ' ', '') collate "C");
-- What is new, for cells that compare their transactions. Rows are only added, so that those of one time are in a few
-- pages; such an index costs a payment 10 bytes of the write-ahead log, with the column, and an ordinary one 74.
create index provider_transactions_by_time on provider_transactions using brin (claimed_at)
  with (autosummarize = on, pages_per_range = 32);

-- Exact-match search over encrypted values, by keyed hash.
create table payment_search (
  value_hash bytea not null,
  created_at timestamptz not null,
  payment_no uuid not null
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
-- A hash is made with its merchant's identifier, so it is enough by itself. A primary key over all columns would cost
-- every payment, and no statement needs it.
create index payment_search_by_value on payment_search (value_hash, created_at);

-- Which number was prompted when, by which deposit: a payer's phone must not be filled with requests for a PIN.
create table payer_prompts (
  payment_no uuid primary key,
  merchant_id uuid not null references merchants,
  -- A keyed hash of the number, the same for every merchant of the cell.
  number_hash bytea not null,
  prompted_at timestamptz not null,
  -- Until then the request may be on the phone.
  open_until timestamptz not null
);
create index payer_prompts_of_number on payer_prompts (number_hash, prompted_at);
create index payer_prompts_by_age on payer_prompts (prompted_at);
