-- Payout batches of the dashboard: prepared by one person, approved by another, sent in small portions.

create table payout_batches (
  merchant_id uuid not null references merchants,
  -- Sorts by time.
  batch_id uuid not null,
  source text not null constraint payout_batches_source check (source in ('FILE', 'FORM')),
  -- The version of the API whose callbacks announce the payouts.
  api_version text not null,
  -- A person's own words: encrypted.
  encrypted_title bytea not null,
  -- Keyed, of what is to be paid to whom: the same file a second time is noticed.
  content_hash bytea not null,
  row_count integer not null constraint payout_batches_row_count_positive check (row_count > 0),
  status text not null constraint payout_batches_status check (
    status in ('WAITING', 'SENDING', 'DONE', 'STOPPED', 'CANCELLED')),
  -- People by identifier and by the name that the audit log has of them.
  prepared_by text not null,
  prepared_by_name text not null,
  prepared_at timestamptz not null,
  needs_approval boolean not null,
  cancelled_by_name text,
  -- The outcome of the rows so far.
  accepted_count integer not null default 0,
  rejected_count integer not null default 0,
  cancelled_count integer not null default 0,
  -- When a worker may take the next portion; null when there is nothing to send.
  next_send_at timestamptz,
  -- When it was approved, or sent by one person.
  sent_at timestamptz,
  ended_at timestamptz,
  primary key (merchant_id, batch_id),
  constraint payout_batches_ended check ((status in ('DONE', 'STOPPED', 'CANCELLED')) = (ended_at is not null)),
  constraint payout_batches_sent check ((status in ('WAITING', 'CANCELLED')) = (sent_at is null)),
  constraint payout_batches_counts check (
    least(accepted_count, rejected_count, cancelled_count) >= 0
    and accepted_count + rejected_count + cancelled_count <= row_count),
  constraint payout_batches_only_sent_ones_send check (
    next_send_at is null or status in ('SENDING', 'STOPPED'))
);
create index payout_batches_of_status on payout_batches (merchant_id, status, batch_id);
create index payout_batches_of_content on payout_batches (merchant_id, content_hash);
-- What was sent without a second approver counts towards the limit of a day, and what waits for it, whenever that is
-- sent.
create index payout_batches_of_one_person on payout_batches (merchant_id, coalesce(sent_at, 'infinity'))
  where not needs_approval and status <> 'CANCELLED';
create index payout_batches_to_send on payout_batches (next_send_at) where next_send_at is not null;

-- What a batch takes from each wallet.
create table payout_batch_sums (
  merchant_id uuid not null,
  batch_id uuid not null,
  country text not null,
  currency text not null,
  -- Empty when the wallet is not tied to one provider.
  wallet_provider text not null,
  row_count integer not null,
  amount numeric(22,4) not null constraint payout_batch_sums_amount_positive check (amount > 0),
  fee numeric(22,4) not null constraint payout_batch_sums_fee_not_negative check (fee >= 0),
  primary key (merchant_id, batch_id, country, currency, wallet_provider),
  foreign key (merchant_id, batch_id) references payout_batches
);

create table payout_batch_rows (
  merchant_id uuid not null,
  batch_id uuid not null,
  -- From 1, as in the file without its heading.
  row_no integer not null constraint payout_batch_rows_no_positive check (row_no > 0),
  -- Both are fixed before anything is sent: to send a row a second time creates no second payout.
  payout_id uuid not null,
  payment_no uuid not null,
  provider text not null,
  currency text not null,
  amount numeric(22,4) not null constraint payout_batch_rows_amount_positive check (amount > 0),
  fee numeric(22,4) not null constraint payout_batch_rows_fee_not_negative check (fee >= 0),
  -- Who is paid, and the hash by which their number is found; both are empty when the person was erased.
  encrypted_order bytea,
  number_hash bytea,
  -- CLAIMED: being made a payout, and can no longer be cancelled here.
  status text not null constraint payout_batch_rows_status check (
    status in ('WAITING', 'CLAIMED', 'ACCEPTED', 'REJECTED', 'CANCELLED')),
  failure_code text,
  primary key (merchant_id, batch_id, row_no),
  foreign key (merchant_id, batch_id) references payout_batches,
  constraint payout_batch_rows_payout_unique unique (merchant_id, payout_id),
  constraint payout_batch_rows_open_ones_are_remembered check (
    status not in ('WAITING', 'CLAIMED') or num_nulls(encrypted_order, number_hash) = 0),
  constraint payout_batch_rows_rejected_has_code check ((status = 'REJECTED') = (failure_code is not null))
);
create index payout_batch_rows_to_send on payout_batch_rows (merchant_id, batch_id, status, row_no)
  where status in ('WAITING', 'CLAIMED');
create index payout_batch_rows_of_number on payout_batch_rows (merchant_id, number_hash);

-- What was prepared is what is approved and sent. What is encrypted may be encrypted again.
create function refuse_to_change_payout_batch() returns trigger language plpgsql as $$
begin
  if is_only_re_encrypted(tg_relid, to_jsonb(old), to_jsonb(new)) then
    return new;
  end if;
  raise exception 'what was prepared and approved is not changed' using errcode = 'check_violation';
end $$;
create trigger payout_batches_stay_as_prepared before update on payout_batches for each row
  when (row (new.source, new.api_version, new.encrypted_title, new.content_hash, new.row_count, new.prepared_by,
      new.prepared_by_name, new.prepared_at, new.needs_approval)
    is distinct from row (old.source, old.api_version, old.encrypted_title, old.content_hash, old.row_count,
      old.prepared_by, old.prepared_by_name, old.prepared_at, old.needs_approval)
    or new.sent_at is distinct from coalesce(old.sent_at, new.sent_at)
    or (old.ended_at is not null and new.status <> old.status))
  execute function refuse_to_change_payout_batch();
create trigger payout_batch_sums_stay_as_prepared before update on payout_batch_sums for each row
  when (new is distinct from old) execute function refuse_to_change_payout_batch();
create trigger payout_batch_rows_stay_as_prepared before update on payout_batch_rows for each row
  when (row (new.payout_id, new.payment_no, new.provider, new.currency, new.amount, new.fee)
      is distinct from row (old.payout_id, old.payment_no, old.provider, old.currency, old.amount, old.fee)
    or new.encrypted_order <> old.encrypted_order or new.number_hash <> old.number_hash
    or (old.encrypted_order is null and new.encrypted_order is not null)
    or (old.status in ('ACCEPTED', 'REJECTED', 'CANCELLED') and new.status <> old.status))
  execute function refuse_to_change_payout_batch();
-- No row is added to a batch that is prepared.
create function refuse_more_payout_batch_rows() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from (select distinct merchant_id, batch_id from added) a
    join payout_batches b using (merchant_id, batch_id)
    -- A move copies in pieces what was counted here before, and compares it.
    where not exists (select from migration_locks f where f.merchant_id = a.merchant_id and f.state = 'ARRIVING')
      and b.row_count < (select count(*) from payout_batch_rows r
      where r.merchant_id = b.merchant_id and r.batch_id = b.batch_id)) then
    raise exception 'a batch has no more rows than were prepared' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger payout_batch_rows_are_no_more_than_prepared after insert on payout_batch_rows
  referencing new table as added for each statement execute function refuse_more_payout_batch_rows();

-- Up to this much in a day a merchant's payouts need no second approver. To raise it needs an approval itself.
create table payout_limits (
  merchant_id uuid not null references merchants,
  currency text not null,
  -- Null: the host's limit applies.
  amount numeric(22,4) constraint payout_limits_amount_not_negative check (amount >= 0),
  primary key (merchant_id, currency)
);
