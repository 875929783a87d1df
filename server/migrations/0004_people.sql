-- People who sign in to the dashboard: accounts, sessions, two-factor authentication, roles and invitations.

-- The tables from here to sign_in_rates are written by the authentication library; their columns carry its meanings
-- under our names.
create table people (
  id text primary key,
  name text not null,
  email text not null,
  email_verified boolean not null,
  image text,
  has_two_factor boolean,
  -- In which mails are written: that of the dashboard, as the person last used it.
  language text constraint people_language check (language in ('en', 'fr')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint people_email_unique unique (email)
);

create table people_sessions (
  id text primary key,
  person_id text not null references people on delete cascade,
  token text not null,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  -- When the person last proved again who they are; dangerous actions ask for it.
  confirmed_at timestamptz,
  -- Who the identity provider said it is. Null where the person signed in with a password.
  provider_subject text,
  -- Whether the identity provider said that it asked for more than one factor.
  is_multi_factor boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint people_sessions_token_unique unique (token)
);
create index people_sessions_of_person on people_sessions (person_id);

create table people_passwords (
  id text primary key,
  person_id text not null references people on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index people_passwords_of_person on people_passwords (person_id);
-- One subject of the identity provider signs in to one account.
create unique index people_passwords_once on people_passwords (provider_id, account_id);

create table people_proofs (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index people_proofs_by_identifier on people_proofs (identifier);

create table people_two_factors (
  id text primary key,
  person_id text not null references people on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean,
  failed_count integer,
  locked_until timestamptz,
  -- The time step of the last code that was accepted: a code of an authenticator app works once.
  last_step bigint
);
create index people_two_factors_of_person on people_two_factors (person_id);

create table sign_in_rates (
  id text primary key,
  key text not null,
  count integer not null,
  last_request bigint not null,
  constraint sign_in_rates_key_unique unique (key)
);

-- Devices that signed in before: a sign-in from a new one is noticed.
create table people_devices (
  person_id text not null references people on delete cascade,
  -- A hash of the cookie that the device was given.
  device_hash bytea not null,
  seen_at timestamptz not null,
  primary key (person_id, device_hash)
);

-- Subjects of the identity provider, with every address that it has verified of them. Two accounts that share a subject
-- or an address are one person.
create table people_identities (
  person_id text not null references people on delete cascade,
  -- The issuer and its name for the person.
  subject text not null,
  email text not null constraint people_identities_email_is_plain check (email = lower(btrim(email))),
  seen_at timestamptz not null,
  primary key (person_id, subject, email)
);

-- What a person may do, for one merchant or, where that is null, for the host.
create table memberships (
  person_id text not null references people on delete cascade,
  merchant_id uuid references merchants,
  role text not null,
  since timestamptz not null,
  -- Of a role from a group of the identity provider: each sign-in there sets it again. Null for roles that people gave.
  until timestamptz,
  constraint memberships_once unique nulls not distinct (person_id, merchant_id)
);
create index memberships_of_merchant on memberships (merchant_id);
create unique index memberships_one_break_glass on memberships (role) where role = 'BREAK_GLASS';

create table invitations (
  invitation_id uuid primary key,
  -- The link itself is shown once and stored nowhere.
  token_hash bytea not null,
  email text not null,
  merchant_id uuid references merchants,
  role text not null,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint invitations_token_unique unique (token_hash)
);
create index invitations_of_merchant on invitations (merchant_id);

-- What people are mailed because their role lets them act on it. Each person hears of each thing once.
create table person_notices (
  notice_id uuid primary key,
  person_id text not null references people on delete cascade,
  -- Null for what the platform decides.
  merchant_id uuid references merchants,
  topic text not null constraint person_notices_topic check (
    topic in ('TOKEN_EXPIRES', 'ENDPOINT_FAILING', 'WALLET_LOW', 'APPROVAL_PENDING')),
  -- The thing, and where it can happen again, which time: a token and the days left, an endpoint and the day.
  subject text not null,
  -- Codes, hosts, days and names of tokens only: no personal data of payers and no secrets.
  detail jsonb not null,
  noticed_at timestamptz not null,
  -- When the mail is tried next; null when there is none to send any more.
  mail_due_at timestamptz,
  mail_attempt_count integer not null default 0,
  mailed_at timestamptz,
  constraint person_notices_once unique (person_id, topic, subject)
);
create index person_notices_to_mail on person_notices (mail_due_at) where mail_due_at is not null;
