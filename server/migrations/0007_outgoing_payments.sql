-- Payments that send money: what they hold, what they cost, which deposit a refund returns, and who waits in a queue.

alter table payments add column deposit_id uuid;
alter table payments add constraint payments_refund_names_its_deposit check ((kind = 'REFUND') = (deposit_id is not null));

-- At most one refund of a deposit is open; the sum of all is held under the deposit's lock.
create unique index payments_one_open_refund on payments (merchant_id, deposit_id)
  where kind = 'REFUND' and state not in ('COMPLETED', 'FAILED');
create index payments_refunds_of_deposit on payments (merchant_id, deposit_id) where kind = 'REFUND';

-- Waiting for their provider, the oldest first.
create index payments_enqueued on payments (provider, kind, created_at) where state = 'ENQUEUED' and next_action is null;

-- When a pending transfer was posted or voided.
alter table transfers add column settled_at timestamptz;

-- What a merchant pays for an operation at a provider. Quoted and stored with each payment at acceptance.
create table fees (
  merchant_id uuid not null references merchants,
  provider text not null,
  operation text not null,
  currency text not null,
  basis_points integer not null constraint fees_basis_points_in_range check (basis_points between 0 and 10000),
  fixed numeric(22,4) not null constraint fees_fixed_not_negative check (fixed >= 0),
  primary key (merchant_id, provider, operation, currency)
);
