-- The double-entry ledger: accounts, guarded wallet balances, transfers of one debit and one credit.

create type transfer_state as enum ('PENDING', 'POSTED', 'VOIDED');

-- The identifier is derived from the other columns, so that it is the same in every cell and after a restore.
create table accounts (
  account_id uuid primary key,
  type text not null,
  -- Null for accounts of the house.
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
  constraint wallets_available_not_negative check (posted - held >= 0)
);
create index wallets_by_merchant on wallets (merchant_id);

create table transfers (
  merchant_id uuid not null,
  -- What the transfer is about: a payment by its kind and identifier, or a top-up.
  subject_kind text not null,
  subject_id uuid not null,
  leg_no integer not null,
  template text not null,
  debit_account_id uuid not null references accounts,
  credit_account_id uuid not null references accounts,
  amount numeric(22,4) not null constraint transfers_amount_positive check (amount > 0),
  state transfer_state not null,
  created_at timestamptz not null,
  primary key (merchant_id, subject_kind, subject_id, leg_no),
  constraint transfers_between_two_accounts check (debit_account_id <> credit_account_id)
);
create index transfers_by_debit_account on transfers (debit_account_id, created_at);
create index transfers_by_credit_account on transfers (credit_account_id, created_at);

create function refuse_to_edit_a_transfer() returns trigger language plpgsql as $$
begin
  raise exception 'a transfer is never edited except from pending to posted or voided' using errcode = 'check_violation';
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

-- Evidence against a final state, with the postings made when it arrived.
create table cases (
  case_id uuid primary key,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  evidence text not null,
  opened_at timestamptz not null,
  sealed_evidence bytea,
  -- A repeat of the same evidence is the same case.
  constraint cases_once_per_evidence unique (merchant_id, kind, payment_id, evidence)
);
