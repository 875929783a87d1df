-- Merchants: which companies use the gateway, for what, at which fees, and the key that encrypts their personal data.

create table merchants (
  merchant_id uuid primary key,
  -- The cell in which the merchant was created. It never changes: tokens and operator references carry it.
  home text not null constraint merchants_home_is_four_hex_digits check (home ~ '^[0-9a-f]{4}$'),
  company_name text not null,
  operations text[] not null,
  -- One wallet per country and currency, or one for each provider as well.
  wallet_per_provider boolean not null default false,
  suspended_at timestamptz,
  -- The merchant's own data key, wrapped by a key that is kept outside the database.
  data_key bytea not null,
  created_at timestamptz not null,
  -- Whether requests that start payments must be signed.
  signed_requests_only boolean not null default false,
  -- Where the merchant's people can be reached.
  encrypted_contact_email bytea,
  -- The number by which encrypted values name `data_key`.
  data_key_no smallint not null default 0
    constraint merchants_data_key_no_is_a_byte check (data_key_no between 0 and 255),
  -- A key that only decrypts. With a higher number: the next, which encrypts when every process has read it. With a
  -- lower one: the last, which is destroyed when nothing is encrypted under it any more.
  other_data_key bytea,
  other_data_key_no smallint
    constraint merchants_other_data_key_no_is_a_byte check (other_data_key_no between 0 and 255),
  -- When the other key was created, or stopped encrypting.
  data_keys_changed_at timestamptz,
  -- Whether requests for hosted pages must be signed too: otherwise a token alone starts a payment there.
  signed_pages_only boolean not null default false,
  -- The merchant's own colour and logo on payment pages and checkouts.
  page_colour text constraint merchants_page_colour_is_hex check (page_colour ~ '^#[0-9a-f]{6}$'),
  page_logo bytea constraint merchants_page_logo_is_small check (octet_length(page_logo) <= 6000),
  -- The zone of the days that its people see, by its IANA name; programs check that there is one.
  time_zone text not null default 'UTC'
    constraint merchants_time_zone_is_a_name check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  -- The currency that its overview opens with. Null: the one with most payments.
  home_currency text constraint merchants_home_currency_is_a_code check (home_currency ~ '^[A-Z]{3}$'),
  constraint merchants_other_data_key_is_whole check (
    num_nulls(other_data_key, other_data_key_no, data_keys_changed_at) in (0, 3)),
  constraint merchants_data_keys_differ check (data_key_no <> other_data_key_no)
);

create table merchant_providers (
  merchant_id uuid not null references merchants,
  provider text not null,
  operation text not null,
  primary key (merchant_id, provider, operation)
);

-- What a merchant pays for an operation at a provider. Quoted and stored with each payment when it is accepted.
create table fees (
  merchant_id uuid not null references merchants,
  provider text not null,
  operation text not null,
  currency text not null,
  basis_points integer not null constraint fees_basis_points_in_range check (basis_points between 0 and 10000),
  fixed numeric(22,4) not null constraint fees_fixed_not_negative check (fixed >= 0),
  primary key (merchant_id, provider, operation, currency)
);

-- What the gateway has to tell a merchant beside its payments.
create table merchant_notices (
  merchant_id uuid not null references merchants,
  notice_id uuid not null,
  noticed_at timestamptz not null,
  topic text not null constraint merchant_notices_topic check (topic in ('CALLBACKS_SWITCHED_OFF')),
  -- Codes, kinds and hosts only: no personal data and no secrets.
  detail jsonb not null,
  -- When the mail is tried next; null when there is none to send any more.
  mail_due_at timestamptz,
  mail_attempt_count integer not null default 0,
  mailed_at timestamptz,
  primary key (merchant_id, notice_id)
);
create index merchant_notices_to_mail on merchant_notices (mail_due_at) where mail_due_at is not null;
