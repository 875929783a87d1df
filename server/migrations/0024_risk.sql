-- Risk events, and money of wallets that must not leave yet.

-- What limits, lists and freezes stopped, and what looks like an attack. A row counts everything of one sort within a
-- minute, so that no one can fill the table with requests. Nothing in it identifies a person.
create table risk_events (
  -- Begins with the minute and follows from what is counted: old rows are deleted from one end.
  event_id uuid primary key,
  event text not null constraint risk_events_event_is_named check (btrim(event) <> ''),
  minute_at timestamptz not null,
  last_at timestamptz not null,
  event_count bigint not null constraint risk_events_count_something check (event_count > 0),
  merchant_id uuid,
  token_id text,
  -- Null where there were several.
  provider text,
  kind payment_kind,
  -- The name of the limit, what was frozen, the operator's connector; empty for none.
  subject text not null,
  currency text,
  amount numeric(28,4)
);
create index risk_events_of_event on risk_events (event, event_id);

-- Claims on wallets: money that must not leave yet. What is held are pending transfers under the same identifier, so
-- that wallets and sums have it as held; they end as voided. What is wanted and not there yet is held when it arrives.
create table wallet_holds (
  -- Follows from the deposit or the case it is about: there is one for each. Of a reported reversal it is drawn.
  hold_id uuid primary key,
  merchant_id uuid not null references merchants,
  account_id uuid not null,
  -- REPORTED_REVERSAL: only an operator's report says so, and it waits for its approval.
  reason text not null constraint wallet_holds_reason check (
    reason in ('MANUAL_DEPOSIT', 'CASE', 'REPORTED_REVERSAL')),
  kind payment_kind not null,
  payment_id uuid not null,
  -- Of the case, and which of those of its payment with the same evidence it is.
  evidence text,
  case_no integer,
  -- What is to be held, and what of it is held.
  wanted numeric(22,4) not null constraint wallet_holds_wanted_positive check (wanted > 0),
  amount numeric(22,4) not null constraint wallet_holds_amount_not_negative check (amount >= 0),
  -- How many transfers hold it: each time that money arrives there is one more.
  parts integer not null constraint wallet_holds_parts check ((parts > 0) = (amount > 0)),
  held_at timestamptz not null,
  -- Null: until the case is closed, or the report decided on.
  release_at timestamptz,
  released_at timestamptz,
  constraint wallet_holds_end check ((reason = 'MANUAL_DEPOSIT') = (release_at is not null)),
  constraint wallet_holds_as_wanted check (amount <= wanted),
  constraint wallet_holds_evidence_of_case check (
    (reason = 'CASE') = (evidence is not null) and (reason = 'CASE') = (case_no is not null))
);
create index wallet_holds_short on wallet_holds (account_id, held_at) where released_at is null and amount < wanted;
create index wallet_holds_due on wallet_holds (release_at) where released_at is null;
create index wallet_holds_of_merchant on wallet_holds (merchant_id);
-- How many there were lately, and those of a payment.
create index wallet_holds_of_reported on wallet_holds (held_at) where reason = 'REPORTED_REVERSAL';
create index wallet_holds_of_payment on wallet_holds (payment_id) where released_at is null;
