-- Access: the tokens and public keys by which merchants are known, and the keys with which the gateway signs.

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

create table merchant_public_keys (
  merchant_id uuid not null references merchants,
  -- What signatures name the key by, as keyid.
  key_name text not null constraint merchant_public_keys_name_is_plain check (key_name ~ '^[ -!#-\[\]-~]{1,100}$'),
  algorithm text not null constraint merchant_public_keys_algorithm check (
    algorithm in ('ecdsa-p256-sha256', 'ecdsa-p384-sha384', 'rsa-v1_5-sha256', 'rsa-pss-sha512')),
  -- PEM, SPKI.
  public_key text not null,
  created_at timestamptz not null,
  primary key (merchant_id, key_name)
);

-- Keys that sign callbacks and answers. Which one signs and which are published follows from the times, so that every
-- process comes to the same answer without a message.
create table service_signing_keys (
  key_no integer primary key constraint service_signing_keys_number_positive check (key_no > 0),
  public_key text not null,
  -- PKCS #8, encrypted with the platform's key.
  encrypted_private_key bytea not null,
  created_at timestamptz not null,
  -- Later than created_at, so that a key is published everywhere before it signs; the first one signs at once.
  signs_from timestamptz not null constraint service_signing_keys_published_before_use check (signs_from >= created_at),
  -- Withdrawn manually: neither signs nor is published from then on.
  retired_at timestamptz
);
