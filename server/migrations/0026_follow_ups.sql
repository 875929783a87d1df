-- Follow-ups that could not be made with the change of a payment that they follow from, and are made afterwards.

-- A hold, an announcement, a count that is given back, or what a payment's end means for its split payment or checkout.
-- None of them may keep a fact of an operator from being recorded: where one cannot be made, it is noted here in the
-- same transaction, and a worker makes it later. Its making deletes the row, so that the table is usually empty.
create table missing_follow_ups (
  follow_up_id uuid primary key,
  merchant_id uuid not null references merchants,
  kind payment_kind not null,
  payment_id uuid not null,
  type text not null constraint missing_follow_ups_type check (
    type in ('HOLD', 'CALLBACK', 'LIMITS', 'SPLIT_PAYMENT', 'CHECKOUT')),
  -- What is to be made: codes, identifiers, amounts and times only.
  detail jsonb not null,
  -- Of a hold: the wallet, and how much is wanted of it. Until it is made, that much must stay in the wallet.
  account_id uuid,
  wanted numeric(22,4),
  constraint missing_follow_ups_wanted check (
    num_nulls(account_id, wanted) in (0, 2) and (account_id is null or type = 'HOLD')),
  -- Why it could not be made: the code of PostgreSQL and the name of the constraint, never a value.
  error text not null,
  missing_since timestamptz not null,
  -- When it is tried next.
  due_at timestamptz not null
);
create index missing_follow_ups_due on missing_follow_ups (due_at);
create index missing_follow_ups_of_wallet on missing_follow_ups (account_id) where account_id is not null;
create index missing_follow_ups_of_merchant on missing_follow_ups (merchant_id);
