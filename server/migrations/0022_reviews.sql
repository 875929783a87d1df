-- Reviews: outgoing payments that the platform's screening service, or people, look at before they are sent.

-- What a merchant's payments are looked at for. SCREENING of a kind of payment: the platform's own service is asked.
-- FIRST_RECIPIENT of a currency: people look at large payouts to a number to which the merchant has no payout that
-- was completed a day ago or released by people.
-- COOLING_OFF of a currency: large payouts wait after a change that a thief would make.
create table review_rules (
  merchant_id uuid not null references merchants,
  rule text not null constraint review_rules_rule check (rule in ('SCREENING', 'FIRST_RECIPIENT', 'COOLING_OFF')),
  -- A kind of payment, or a currency.
  subject text not null,
  -- What happens without an answer. NOT_ASKED: the service is not asked, whatever the default is.
  without_answer text constraint review_rules_without_answer check (
    without_answer in ('ALLOW', 'HOLD', 'REJECT', 'NOT_ASKED')),
  amount_above numeric(22,4) constraint review_rules_amount_not_negative check (amount_above >= 0),
  hours integer constraint review_rules_hours check (hours between 1 and 720),
  primary key (merchant_id, rule, subject),
  constraint review_rules_are_whole check (
    (without_answer is not null) = (rule = 'SCREENING') and (amount_above is not null) = (rule <> 'SCREENING')
    and (hours is not null) = (rule = 'COOLING_OFF')),
  -- The payer waits, so that a deposit is never held.
  constraint review_rules_deposits_are_not_held check (subject <> 'DEPOSIT' or without_answer <> 'HOLD')
);

-- When something last changed by which a thief would empty a wallet. Workers read it, who may not read API tokens.
create table sensitive_changes (
  merchant_id uuid not null references merchants,
  what text not null constraint sensitive_changes_what check (what in ('TOKEN', 'CALLBACK', 'SIGNATURE')),
  -- The token; empty for everything else.
  subject text not null,
  changed_at timestamptz not null,
  primary key (merchant_id, what, subject)
);

-- What was found about a payment, once for each. A claim looks here: it goes on where the review allows it.
create table payment_reviews (
  payment_no uuid primary key references payments,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- ASKING: the screening service is asked. HELD: people decide. ENDED: the payment ended another way.
  status text not null constraint payment_reviews_status check (
    status in ('ASKING', 'HELD', 'ALLOWED', 'RELEASED', 'REJECTED', 'ENDED')),
  reasons text[] not null constraint payment_reviews_reasons check (
    reasons <@ array['SCREENED', 'NO_ANSWER', 'FIRST_RECIPIENT', 'COOLING_OFF']),
  -- The screening service's own words, which may name people.
  encrypted_reason bytea,
  begun_at timestamptz not null,
  -- While a process asks. From then on another one does.
  asked_until timestamptz,
  -- It is held for the cooling-off alone, which ends then.
  ends_at timestamptz,
  constraint payment_reviews_end_after_they_begin check (ends_at > begun_at)
);
-- Small: what is asked about now, and what ends by itself.
create index payment_reviews_asking on payment_reviews (begun_at) where status = 'ASKING';
create index payment_reviews_ending on payment_reviews (ends_at) where status = 'HELD' and ends_at is not null;

-- What people hold is released, or rejected, by two of them, unless the payment ends another way. A cooling-off ends by
-- itself. What was decided stays.
create trigger payment_reviews_are_decided_by_two before update on payment_reviews for each row
  when ((old.status = 'HELD' and old.ends_at is null
      and (new.status not in ('HELD', 'ENDED') or new.ends_at is not null))
    or (old.status not in ('ASKING', 'HELD') and new.status <> old.status))
  execute function require_approval('REVIEW', 'payment_no');

-- It begins undecided: the screening service is asked, or people decide.
create function begin_undecided() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) then
    return new;
  end if;
  raise exception 'a review begins undecided' using errcode = 'check_violation';
end $$;
create trigger payment_reviews_begin_undecided before insert on payment_reviews for each row
  when (new.status not in ('ASKING', 'HELD')) execute function begin_undecided();
