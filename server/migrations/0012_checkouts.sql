-- Hosted pages: sessions of the payment page, and checkouts, in which a payer may try several times.

-- A session of the payment page. It becomes a deposit under its own identifier when the payer presses Pay; until then a
-- newer session with that identifier replaces it.
create table payment_pages (
  merchant_id uuid not null,
  deposit_id uuid not null,
  -- As the merchant wrote it.
  written_id text not null,
  api_version text not null,
  -- Of the last part of the address; a person who reads the table cannot open the page.
  code_hash bytea not null constraint payment_pages_code_unique unique,
  -- What is asked of which payer, and where the payer returns to. Encrypted: it may name the payer.
  -- Null in a cell that the merchant has left.
  encrypted_order bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, deposit_id),
  constraint payment_pages_last_a_while check (expires_at > created_at)
);

-- The attempts of a checkout are deposits.
create table checkouts (
  merchant_id uuid not null,
  checkout_id uuid not null,
  written_id text not null,
  api_version text not null,
  code_hash bytea not null constraint checkouts_code_unique unique,
  status text not null constraint checkouts_status check (
    status in ('WAITING_PAYMENT', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED')),
  -- Null in a cell that the merchant has left.
  encrypted_order bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the status became final, which is when the callback was written.
  ended_at timestamptz,
  primary key (merchant_id, checkout_id),
  constraint checkouts_last_a_while check (expires_at > created_at),
  constraint checkouts_final_have_ended check (
    (status in ('WAITING_PAYMENT', 'PROCESSING')) = (ended_at is null))
);
-- The next step of a checkout that waits is its end. One with an attempt in progress ends with the attempt, and is
-- looked at as well.
create index checkouts_to_expire on checkouts (expires_at) where ended_at is null;

create function refuse_to_reopen_checkout() returns trigger language plpgsql as $$
begin
  raise exception 'checkout % is % and final', old.checkout_id, old.status using errcode = 'check_violation';
end $$;
create trigger checkouts_final_is_final before update on checkouts for each row
  when (old.ended_at is not null and new.status is distinct from old.status)
  execute function refuse_to_reopen_checkout();

-- A link that a merchant's people share. Each visit of a payer is a checkout of its own.
create table payment_links (
  merchant_id uuid not null references merchants,
  link_id uuid not null,
  -- The last part of its address. As it is, because people copy it again: it is made to be shown to everyone.
  code text not null constraint payment_links_code_unique unique,
  currency text not null,
  amount numeric(22,4) not null constraint payment_links_amount_positive check (amount > 0),
  -- What payers read. Everyone who has the link sees it.
  description text not null,
  created_at timestamptz not null,
  -- Null: until it is deactivated.
  expires_at timestamptz,
  deactivated_at timestamptz,
  primary key (merchant_id, link_id)
);
create index payment_links_newest on payment_links (merchant_id, created_at, link_id);
