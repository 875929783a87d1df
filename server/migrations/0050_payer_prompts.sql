-- So that nobody can fill a payer's phone with requests for a PIN: which number was prompted when, by which deposit.

create table payer_prompts (
  merchant_id uuid not null references merchants,
  payment_id uuid not null,
  -- A keyed hash of the number, the same for every merchant of the cell.
  number_hash bytea not null,
  prompted_at timestamptz not null,
  -- Until then the request may be on the phone.
  open_until timestamptz not null,
  primary key (merchant_id, payment_id)
);
create index payer_prompts_of_number on payer_prompts (number_hash, prompted_at);
create index payer_prompts_by_age on payer_prompts (prompted_at);
