-- Operator accounts: which ones this cell's workers use, because a merchant moves only between cells that share them.

create table operator_accounts (
  connector text primary key,
  -- A keyed hash of what names the account. Cells with the same key and account have the same one.
  account_hash bytea not null,
  noted_at timestamptz not null
);
