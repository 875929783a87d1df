-- So that people find payments: by provider, kind, state, time and amount, and by what operators call them.
-- outside a transaction: payments are many, and nobody may wait while an index of them is built.

-- A payment enters the first two once, when it ends: they cost its steps before nothing. The first one holds all that a
-- list can be narrowed by, so a page is read from it alone, whatever it is narrowed by.
create index concurrently if not exists payments_ended_of_merchant on payments
  (merchant_id, provider, kind, state, created_at, payment_id) include (amount)
  where state in ('COMPLETED', 'FAILED');
create index concurrently if not exists payments_ended_by_amount on payments
  (merchant_id, amount, created_at, payment_id) include (kind, state, provider)
  where state in ('COMPLETED', 'FAILED');

-- As small as the work that is under way.
create index concurrently if not exists payments_open_of_merchant on payments (merchant_id, created_at, payment_id)
  where state not in ('COMPLETED', 'FAILED');

-- Transactions that completed a payment have a table of their own; these are the others.
create index concurrently if not exists payments_failed_transactions on payments (provider_transaction_id)
  where state = 'FAILED' and provider_transaction_id is not null;
create index concurrently if not exists payment_attempts_by_provider_reference on payment_attempts (provider_reference)
  where provider_reference is not null;
