-- Merchants: who may use the gateway, for what, and under which data key their personal data is sealed.

create table merchants (
  merchant_id uuid primary key,
  -- The cell the merchant was created in. It never changes: tokens and operator references carry it.
  home text not null constraint merchants_home_is_four_hex_digits check (home ~ '^[0-9a-f]{4}$'),
  company_name text not null,
  operations text[] not null,
  -- One wallet per country and currency, or one for each provider as well.
  wallet_per_provider boolean not null default false,
  suspended_at timestamptz,
  -- The merchant's own data key, wrapped by a key that is kept outside the database.
  data_key bytea not null,
  created_at timestamptz not null
);

create table merchant_providers (
  merchant_id uuid not null references merchants,
  provider text not null,
  operation text not null,
  primary key (merchant_id, provider, operation)
);

-- Each token is looked up by its public id; only a hash of its secret is kept.
create table api_tokens (
  token_id text primary key,
  merchant_id uuid not null references merchants,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Written at most once a minute, so that a busy token is not a hot row.
  last_used_at timestamptz
);
create index api_tokens_by_merchant on api_tokens (merchant_id);

-- Rows stand only for what is not OPERATIONAL.
create table provider_availability (
  provider text not null,
  operation text not null,
  status text not null constraint provider_availability_status check (status in ('DELAYED', 'CLOSED')),
  changed_at timestamptz not null,
  primary key (provider, operation)
);
