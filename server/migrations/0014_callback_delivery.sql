-- Delivery of callbacks: bodies as first rendered, what endpoints answered, endpoints that are switched off, notices.

-- One event has one body, whatever becomes of the payment later. Sealed, because it is the payment's record.
alter table callbacks add column sealed_body bytea;
-- Callbacks of a time are looked for by people, and replayed.
create index callbacks_by_time on callbacks (merchant_id, created_at);

-- The first bytes of the answer. Sealed: a merchant's server may say anything, about anybody.
alter table callback_attempts add column sealed_answer bytea;

-- GONE: it answered 410. FAILING: it acknowledged nothing for days. Null in rows of older builds, which know only 410.
alter table callback_endpoints
  add column disabled_because text constraint callback_endpoints_disabled_because check (
    disabled_because in ('GONE', 'FAILING'));

-- The first failure since the last acknowledgement.
alter table callback_lanes add column failing_since timestamptz;

-- Where the merchant's people can be reached.
alter table merchants add column sealed_contact_email bytea;

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
