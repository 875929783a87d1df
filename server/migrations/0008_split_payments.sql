-- Split payments: one collection, shared out to several recipients once it is there.

alter type payment_kind add value 'SPLIT_PAYMENT';

create table split_payments (
  merchant_id uuid not null,
  split_payment_id uuid not null,
  written_id text not null,
  generation text not null,
  created_at timestamptz not null,
  -- The parts as accepted, with their fees; sealed, because they name the recipients.
  sealed_parts bytea not null,
  -- Set with the one callback, when every part is final.
  announced_at timestamptz,
  primary key (merchant_id, split_payment_id)
);

-- The collection has its split payment's identifier; each payout names the split it is a part of.
alter table payments add column split_payment_id uuid;
create index payments_of_split on payments (merchant_id, split_payment_id) where split_payment_id is not null;
