-- Leaner indexes: what every payment pays for and no statement needs goes, and what reads too much gets its own.
-- outside a transaction: these tables grow with every payment, and nobody may wait while an index of one is built.

-- A hash is made with its merchant's identifier, so it is enough by itself; nobody looks for a payment by all columns.
create index concurrently if not exists payment_search_by_value on payment_search (value_hash, created_at);
alter table payment_search drop constraint if exists payment_search_pkey;

-- An identifier is nearly always one payment's. Merchant and kind made the entries twice as large.
create index concurrently if not exists callbacks_of_payment on callbacks (payment_id);
drop index concurrently if exists callbacks_by_payment;

-- What ended in a span of time, for a replay of what was never announced.
create index concurrently if not exists payments_by_end on payments (merchant_id, final_at) where final_at is not null;

-- Endpoints are never deleted, and attempts only with their callback. Each check read and locked a row that every
-- callback of a merchant locks too.
alter table callback_attempts drop constraint if exists callback_attempts_merchant_id_callback_id_fkey;
alter table callbacks drop constraint if exists callbacks_endpoint_id_fkey;
