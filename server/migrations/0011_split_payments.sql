-- Split payments: one collection, paid out to several recipients once it is completed.

create table split_payments (
  merchant_id uuid not null,
  split_payment_id uuid not null,
  written_id text not null,
  api_version text not null,
  created_at timestamptz not null,
  -- The parts as accepted, with their fees; encrypted, because they name the recipients.
  encrypted_parts bytea not null,
  -- The counters of limits that its payouts count in from its acceptance on, 16 bytes for each.
  -- Which payout counts where is in the parts.
  counted_in bytea,
  -- Set with the one callback, when every part is final.
  announced_at timestamptz,
  primary key (merchant_id, split_payment_id)
);
