-- Settlement: merchants register bank accounts, and request that money of their wallets is paid there.

-- One current account for each currency of a merchant. What was registered before stays, because settlements name it.
create table bank_accounts (
  bank_account_id uuid primary key,
  merchant_id uuid not null references merchants,
  currency text not null,
  -- Bank, holder and number.
  encrypted_account bytea not null,
  status text not null default 'REQUESTED' constraint bank_accounts_status check (
    status in ('REQUESTED', 'CURRENT', 'REPLACED', 'REJECTED')),
  requested_at timestamptz not null,
  -- The end of the cooling-off.
  usable_from timestamptz,
  constraint bank_accounts_approved_has_time check (
    (usable_from is not null) = (status in ('CURRENT', 'REPLACED')))
);
create unique index bank_accounts_current on bank_accounts (merchant_id, currency) where status = 'CURRENT';
create unique index bank_accounts_one_request on bank_accounts (merchant_id, currency) where status = 'REQUESTED';
create index bank_accounts_of_merchant on bank_accounts (merchant_id, bank_account_id);

create function require_bank_account_approval() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) or exists (
    select 1 from approvals a
    where a.kind = 'BANK_ACCOUNT' and a.merchant_id = new.merchant_id and a.subject = new.currency
      and a.request ->> 'bankAccountId' = new.bank_account_id::text
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a bank account is registered by two people' using errcode = 'check_violation';
end $$;
create trigger bank_accounts_begin_as_requests before insert on bank_accounts for each row
  when (new.status <> 'REQUESTED') execute function require_bank_account_approval();
create trigger bank_accounts_are_registered_by_two before update on bank_accounts for each row
  when (new.status = 'CURRENT' and old.status <> 'CURRENT') execute function require_bank_account_approval();
create trigger bank_accounts_stay_as_registered before update on bank_accounts for each row
  when (new is distinct from old and not is_arriving(old.merchant_id) and (old.status in ('REPLACED', 'REJECTED')
    or (old.status = 'CURRENT' and (new.status <> 'REPLACED' or new.usable_from is distinct from old.usable_from))
    or row (new.bank_account_id, new.merchant_id, new.currency, new.encrypted_account, new.requested_at)
      is distinct from
       row (old.bank_account_id, old.merchant_id, old.currency, old.encrypted_account, old.requested_at)))
  execute function refuse_to_change_the_past();
create trigger bank_accounts_are_never_deleted before delete on bank_accounts
  for each row execute function refuse_to_change_the_past();

-- Each is a pending transfer under the same identifier, from the wallet to CLEARING. Paid, it is posted; rejected, it
-- is voided.
create table settlements (
  -- Ours: nobody outside can choose or predict it, because the transfer is named after it.
  settlement_id uuid primary key,
  merchant_id uuid not null references merchants,
  -- Chosen by the client that asked, so that a repetition after a lost answer is recognised.
  request_id uuid not null,
  -- Where it is paid to, also when the merchant has another account since.
  bank_account_id uuid not null references bank_accounts,
  country text not null,
  currency text not null,
  -- Empty where the wallet is not tied to one provider.
  provider text not null,
  amount numeric(22,4) not null constraint settlements_amount_positive check (amount > 0),
  requested_by text not null constraint settlements_person_is_named check (btrim(requested_by) <> ''),
  requested_at timestamptz not null,
  status text not null default 'REQUESTED' constraint settlements_status check (
    status in ('REQUESTED', 'PAID', 'REJECTED')),
  decided_at timestamptz,
  constraint settlements_requested_once unique (merchant_id, request_id),
  constraint settlements_decision_has_time check ((decided_at is null) = (status = 'REQUESTED'))
);
create index settlements_of_merchant on settlements (merchant_id, requested_at, settlement_id);
create index settlements_open on settlements (requested_at, settlement_id) where status = 'REQUESTED';
create index settlements_decided on settlements (decided_at, settlement_id) where status <> 'REQUESTED';

create function require_usable_bank_account() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) or (new.status = 'REQUESTED' and exists (
    select 1 from bank_accounts b
    where b.bank_account_id = new.bank_account_id and b.merchant_id = new.merchant_id and b.currency = new.currency
      and b.status = 'CURRENT' and b.usable_from <= new.requested_at)) then
    return new;
  end if;
  raise exception 'a settlement goes to a registered bank account after its cooling-off'
    using errcode = 'check_violation';
end $$;
create trigger settlements_begin_as_requests before insert on settlements
  for each row execute function require_usable_bank_account();

create function require_settlement_approval() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) or exists (
    select 1 from approvals a
    where a.kind = 'SETTLEMENT' and a.merchant_id = new.merchant_id and a.subject = new.settlement_id::text
      and a.request ->> 'decision' = new.status
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a settlement is paid or rejected by two people' using errcode = 'check_violation';
end $$;
create trigger settlements_are_decided_by_two before update on settlements for each row
  when (new.status <> old.status) execute function require_settlement_approval();
create trigger settlements_stay_as_requested before update on settlements for each row
  when (new is distinct from old and not is_arriving(old.merchant_id) and (old.status <> 'REQUESTED'
    or row (new.settlement_id, new.merchant_id, new.request_id, new.bank_account_id, new.country, new.currency,
         new.provider, new.amount, new.requested_by, new.requested_at)
      is distinct from
       row (old.settlement_id, old.merchant_id, old.request_id, old.bank_account_id, old.country, old.currency,
         old.provider, old.amount, old.requested_by, old.requested_at)))
  execute function refuse_to_change_the_past();
create trigger settlements_are_never_deleted before delete on settlements
  for each row execute function refuse_to_change_the_past();
