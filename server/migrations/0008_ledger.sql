-- The double-entry ledger: accounts, guarded wallet balances, transfers of one debit and one credit.

create type transfer_state as enum ('PENDING', 'POSTED', 'VOIDED');

-- The identifier is derived from the other columns, so that it is the same in every cell and after a restore.
create table accounts (
  account_id uuid primary key,
  type text not null,
  -- Null for accounts of the platform.
  merchant_id uuid references merchants,
  country text not null,
  currency text not null,
  provider text not null
);
create index accounts_by_merchant on accounts (merchant_id);

-- Only merchant wallets have a balance row. All other accounts are sums, so that no row is hot.
create table wallets (
  account_id uuid primary key references accounts,
  merchant_id uuid not null references merchants,
  posted numeric(22,4) not null default 0,
  held numeric(22,4) not null default 0 constraint wallets_held_not_negative check (held >= 0),
  -- What stands in the RECEIVABLE account beside the wallet. It changes under the wallet's lock, with its transfers.
  owed numeric(22,4) not null default 0 constraint wallets_owed_not_negative check (owed >= 0),
  -- What holds of the wallet want beyond what they hold, those that could not be made yet among them. Kept here so that
  -- whoever locks the wallet reads it without a statement more.
  unheld numeric(22,4) not null default 0 constraint wallets_unheld_not_negative check (unheld >= 0),
  constraint wallets_available_not_negative check (posted - held >= 0)
-- Few rows, changed all the time. Space in each page lets a change stay there without touching an index.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index wallets_by_merchant on wallets (merchant_id);

-- Below which balance of a wallet its merchant's people are mailed. A wallet may have one before it has money.
create table wallet_alerts (
  merchant_id uuid not null references merchants,
  country text not null,
  currency text not null,
  -- Empty where the wallet is not tied to one provider.
  provider text not null,
  below numeric(22,4) not null constraint wallet_alerts_below_positive check (below > 0),
  -- Since when less is available; null while there is enough.
  low_since timestamptz,
  primary key (merchant_id, country, currency, provider)
);

create table transfers (
  merchant_id uuid not null,
  -- What the transfer is about: a payment by its kind and number, or a top-up, settlement or hold by its identifier.
  -- All of these identifiers are ours. One that somebody outside could choose would let them keep a transfer of
  -- another kind from ever being written.
  subject_kind text not null,
  subject_id uuid not null,
  leg_no integer not null,
  template text not null,
  debit_account_id uuid not null references accounts,
  credit_account_id uuid not null references accounts,
  amount numeric(22,4) not null constraint transfers_amount_positive check (amount > 0),
  state transfer_state not null,
  created_at timestamptz not null,
  -- When a pending transfer was posted or voided.
  settled_at timestamptz,
  primary key (subject_id, subject_kind, leg_no),
  constraint transfers_between_two_accounts check (debit_account_id <> credit_account_id)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index transfers_by_debit_account on transfers (debit_account_id, created_at);
create index transfers_by_credit_account on transfers (credit_account_id, created_at);
-- For monitors: holds that ended since the last measurement, however old they are. Deposits have none.
create index transfers_by_settlement on transfers (settled_at) where settled_at is not null;
-- What moved a wallet in a span of time. What was held before it moved counts when it was posted, not when it was held.
create index transfers_by_wallet_settlement on transfers (debit_account_id, settled_at)
  where settled_at is not null and state = 'POSTED';
-- What a wallet paid at once, without a hold: settlements, corrections and cases. Few, among all that it ever paid.
create index transfers_paid_at_once on transfers (debit_account_id, created_at)
  where state = 'POSTED' and settled_at is null
    and (leg_no >= 10 or subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'));

-- What is no payment's, for moves: few among all transfers of a merchant.
create index transfers_of_no_payment on transfers (merchant_id)
  where subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE');

-- What merchants owe, one row for each transfer that debited a RECEIVABLE account for something else than to give back
-- to the wallet. It knows what of it was paid and what was forgiven, so that what is collected for one case is never
-- counted for another. All that is unpaid of a wallet is the wallet's `owed`; it changes under the wallet's lock.
create table wallet_debts (
  -- Of the transfer.
  subject_id uuid not null,
  subject_kind text not null,
  leg_no integer not null,
  merchant_id uuid not null references merchants,
  -- The wallet beside the RECEIVABLE account.
  account_id uuid not null references accounts,
  amount numeric(22,4) not null constraint wallet_debts_amount_positive check (amount > 0),
  -- Collected from later credits, the oldest debt first, or recovered by people; without what was given back since.
  paid numeric(22,4) not null default 0 constraint wallet_debts_paid_not_negative check (paid >= 0),
  -- Written off, or withdrawn by the operator.
  forgiven numeric(22,4) not null default 0 constraint wallet_debts_forgiven_not_negative check (forgiven >= 0),
  owed_since timestamptz not null,
  primary key (subject_id, subject_kind, leg_no),
  constraint wallet_debts_end_once check (paid + forgiven <= amount)
);
-- What a credit pays, in its order.
create index wallet_debts_unpaid on wallet_debts (account_id, owed_since, subject_id, leg_no)
  where paid + forgiven < amount;
create index wallet_debts_of_merchant on wallet_debts (merchant_id);

-- What moved on each account in each day, apart for each merchant, so that what belongs to one can move with it. Summed
-- in the background: no transfer waits for a row in here. The sums of the last minutes are read from the transfers.
create table ledger_days (
  -- The beginning of the day, in UTC. What was held before it was posted counts when it was posted.
  day_at timestamptz not null,
  account_id uuid not null,
  -- Of the transfer: an account of the platform has transfers of every merchant.
  merchant_id uuid not null,
  credits numeric(28,4) not null,
  debits numeric(28,4) not null,
  -- What began to be pending in this day, and what ended to be, as debits of the account.
  held numeric(28,4) not null,
  released numeric(28,4) not null,
  primary key (day_at, account_id, merchant_id)
) with (fillfactor = 70);
create index ledger_days_by_merchant on ledger_days (merchant_id);

-- All days together: a balance is read from here, however many days there are.
create table ledger_totals (
  account_id uuid not null,
  merchant_id uuid not null,
  credits numeric(28,4) not null,
  debits numeric(28,4) not null,
  held numeric(28,4) not null,
  released numeric(28,4) not null,
  primary key (account_id, merchant_id)
) with (fillfactor = 70);
create index ledger_totals_by_merchant on ledger_totals (merchant_id);

-- How far the sums go. A merchant that came from another cell has a row of its own until they go as far as all others'.
create table ledger_progress (
  -- Null for all that have no row of their own.
  merchant_id uuid,
  -- Everything that happened before this is in the sums.
  summed_until timestamptz not null,
  constraint ledger_progress_once unique nulls not distinct (merchant_id)
);

-- How far time is moved. A sandbox replaces this function by one that reads how far; nowhere else is time moved. Not
-- `immutable`: plans that contain it must be made again when it is replaced.
create function time_shift() returns interval language sql stable as $$ select interval '0' $$;

-- The time of what a transaction writes: the same clock for all processes, so that one whose own clock is wrong writes
-- no wrong time. Never before the time up to which transfers are summed up: a server that takes over with a slow clock
-- lets time stand still there, and nothing is posted behind the sums. In milliseconds, as processes know time.
create function time_of_writing() returns timestamptz language plpgsql as $$
declare
  summed timestamptz;
begin
  select max(summed_until) into summed from ledger_progress;
  return date_trunc('milliseconds', greatest(clock_timestamp() + time_shift(), summed));
end $$;

create function refuse_to_edit_a_transfer() returns trigger language plpgsql as $$
begin
  raise exception 'a transfer is never edited except from pending to posted or voided'
    using errcode = 'check_violation';
end $$;
create trigger transfers_are_never_edited before update on transfers for each row
  when (old.state <> 'PENDING' or new.state = 'PENDING'
    or (new.merchant_id, new.subject_kind, new.subject_id, new.leg_no, new.template, new.debit_account_id,
        new.credit_account_id, new.amount, new.created_at)
      is distinct from
       (old.merchant_id, old.subject_kind, old.subject_id, old.leg_no, old.template, old.debit_account_id,
        old.credit_account_id, old.amount, old.created_at))
  execute function refuse_to_edit_a_transfer();
create trigger transfers_are_never_deleted before delete on transfers
  for each row execute function refuse_to_change_the_past();

-- What a bank or an operator calls a movement of money. It is posted once, also when a command is repeated.
create table posted_references (
  -- BANK, or the provider whose operator moved the money.
  source text not null,
  -- As the bank or the operator writes it, without spaces and in capital letters.
  reference text not null,
  -- What was posted under it. The same reference with anything else is refused.
  merchant_id uuid not null,
  type text not null,
  country text not null,
  currency text not null,
  -- Empty where the merchant keeps one wallet for all providers.
  provider text not null,
  amount numeric(22,4) not null,
  transfer_id uuid primary key,
  posted_at timestamptz not null,
  -- The line of a report that says so; null for what a person entered.
  line_hash bytea,
  -- When it was posted back, because the file with the line was voided: the reference is free again.
  posted_back_at timestamptz
);
create unique index posted_references_once on posted_references (source, reference) where posted_back_at is null;
create index posted_references_of_line on posted_references (source, line_hash) where line_hash is not null;

create function refuse_to_edit_a_posted_reference() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'posted_back_at' = to_jsonb(old) - 'posted_back_at' and old.posted_back_at is null
    and exists (select from operator_report_lines l
      where l.provider = old.source and l.line_hash = old.line_hash and l.voided) then
    return new;
  end if;
  raise exception 'posted_references is append-only, but for what a voided file has posted'
    using errcode = 'check_violation';
end $$;
create trigger posted_references_are_never_edited before update on posted_references
  for each row execute function refuse_to_edit_a_posted_reference();
create trigger posted_references_are_never_deleted before delete on posted_references
  for each row execute function refuse_to_change_the_past();
