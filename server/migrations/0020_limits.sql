-- Limits, freezes and lists of phone numbers: how far a merchant's money may leave.

-- How many payments of a kind, or how much money, in a fixed span of UTC time.
create table limits (
  merchant_id uuid not null references merchants,
  -- Both count: a merchant's own limit can only make the platform's stricter.
  set_by text not null constraint limits_set_by check (set_by in ('PLATFORM', 'MERCHANT')),
  kind payment_kind not null constraint limits_kind check (kind in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE')),
  scope text not null constraint limits_scope check (
    scope in ('MERCHANT', 'TOKEN', 'PROVIDER', 'COUNTRY', 'NUMBER')),
  -- One token, provider or country; empty: each of them, counted apart.
  subject text not null,
  period text not null constraint limits_period check (period in ('MINUTE', 'HOUR', 'DAY', 'MONTH')),
  -- Empty: every currency, of which only the number can be limited.
  currency text not null,
  count_max integer constraint limits_count_not_negative check (count_max >= 0),
  amount_max numeric(22,4) constraint limits_amount_not_negative check (amount_max >= 0),
  primary key (merchant_id, set_by, kind, scope, subject, period, currency),
  constraint limits_limit_something check (num_nulls(count_max, amount_max) < 2),
  constraint limits_amount_has_currency check (amount_max is null or currency <> ''),
  constraint limits_subject_fits_scope check (subject = '' or scope in ('TOKEN', 'PROVIDER', 'COUNTRY'))
);

-- What was counted in each window. The identifier begins with the end of the window and follows from what is counted,
-- so that it is the same in every cell, and what is over is deleted from one end. A payment names its counters: what is
-- given back goes to the window it was counted in, whatever limits there are by then.
create table limit_counters (
  counter_id uuid primary key,
  merchant_id uuid not null,
  used_count bigint not null constraint limit_counters_count_not_negative check (used_count >= 0),
  used_amount numeric(28,4) not null constraint limit_counters_amount_not_negative check (used_amount >= 0)
-- Few rows that change all the time, as wallets.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Phone numbers that are blocked, or that limits for each number do not count. Found by keyed hash; the number itself
-- is encrypted, so that a list can be exported.
create table listed_numbers (
  entry_id uuid primary key,
  -- Null: for every merchant, in every cell.
  merchant_id uuid references merchants,
  list text not null constraint listed_numbers_list check (list in ('BLOCKED', 'ALLOWED')),
  number_hash bytea not null,
  encrypted_number bytea not null,
  -- A person's own words.
  encrypted_reason bytea not null,
  -- From then on it no longer counts. Null: until it is removed.
  expires_at timestamptz,
  added_at timestamptz not null,
  added_by text not null constraint listed_numbers_person_is_named check (btrim(added_by) <> ''),
  -- The request to add it, where one was needed. While that is pending the number does not count.
  approval_id uuid,
  is_requested boolean not null default false,
  constraint listed_numbers_requested_by_approval check (not is_requested or approval_id is not null)
);
-- Found by number when payments are accepted.
create unique index listed_numbers_once on listed_numbers (number_hash, merchant_id, list) nulls not distinct
  where not is_requested;
create index listed_numbers_of_merchant on listed_numbers (merchant_id, list, added_at, entry_id);
create index listed_numbers_of_approval on listed_numbers (approval_id, entry_id) where approval_id is not null;

-- What the platform has stopped; outgoing payments only. Each time that somebody freezes something is a freeze of its
-- own, which every cell has under the same identifier and which never changes until it is lifted: a lift names it, so
-- that it ends what its approver was shown and nothing else.
create table freezes (
  freeze_id uuid primary key,
  scope text not null constraint freezes_scope check (scope in ('MERCHANT', 'TOKEN', 'NUMBER', 'PROVIDER', 'ALL')),
  -- A merchant, a token, a provider, or the keyed hash of a number in hexadecimal digits; empty for ALL.
  subject text not null,
  -- The number itself, so that a new search key can hash it again.
  encrypted_number bytea,
  -- A person's own words.
  encrypted_reason bytea not null,
  frozen_by text not null constraint freezes_person_is_named check (btrim(frozen_by) <> ''),
  frozen_at timestamptz not null,
  -- Null: until it is lifted.
  expires_at timestamptz,
  lifted_at timestamptz,
  -- Why it was lifted. Null where it expired, or was lifted from another cell.
  encrypted_lift_reason bytea,
  constraint freezes_subject_fits_scope check ((scope = 'ALL') = (subject = '')),
  constraint freezes_number_is_kept check ((scope = 'NUMBER') = (encrypted_number is not null))
);
-- Claims find what concerns them by it. A subject can be frozen several times.
create index freezes_in_force on freezes (scope, subject) where lifted_at is null;
