-- So that a payment is asked about, resubmitted and refunded with the operator account it was sent with.

-- Adding columns without a default does not rewrite the table. Null: the operator has no accounts, or the attempt is
-- older than this column; then "not found" proves nothing.
alter table payment_attempts add column operator_account text;
-- Of a deposit: the account that can reverse it.
alter table payment_attempts add column refund_account text;

create function refuse_another_operator_account() returns trigger language plpgsql as $$
begin
  raise exception 'an attempt keeps its operator account' using errcode = 'check_violation';
end $$;
create trigger payment_attempts_keep_their_account before update on payment_attempts for each row
  when (old.operator_account is not null and new.operator_account is distinct from old.operator_account
    or old.refund_account is not null and new.refund_account is distinct from old.refund_account)
  execute function refuse_another_operator_account();

-- Credentials of accounts that are no longer used for new payments. Kept until a person retires the account; the row
-- stays without them.
create table replaced_credentials (
  connector text not null,
  -- A keyed hash of the fields that identify the account; the same in every cell.
  account_id text not null,
  account text not null,
  product text not null,
  sealed_values bytea,
  replaced_at timestamptz not null,
  retired_at timestamptz,
  primary key (connector, account_id),
  constraint replaced_credentials_are_kept_until_retired check ((sealed_values is null) = (retired_at is not null))
);
