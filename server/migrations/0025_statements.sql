-- Statements: what a wallet held and everything that moved it, as files that workers make and any process hands out.
-- outside a transaction: transfers grow with every payment, and nobody may wait while an index of them is built.

alter type payment_kind add value if not exists 'STATEMENT';

-- What moved a wallet in a span of time. What was held before it moved counts when it was posted, not when it was held.
create index concurrently if not exists transfers_by_wallet_settlement on transfers (debit_account_id, settled_at)
  where settled_at is not null and state = 'POSTED';

-- Null for addresses that statements named: each request names its own, and there can be many.
alter table callback_endpoints alter column kind drop not null;

create table if not exists statements (
  merchant_id uuid not null references merchants,
  statement_id uuid not null,
  -- The wallet.
  country text not null,
  currency text not null,
  provider text not null,
  -- As asked for: from the first of these times on, before the second.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Where it really ends: nobody knows yet what moves after it was asked for.
  covers_until timestamptz not null,
  is_compressed boolean not null,
  -- Null where nobody wants to be told.
  callback_url text,
  -- The address of this gateway that its merchant uses: the download is there.
  base_url text not null,
  status text not null constraint statements_status check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When somebody is to make it, or to look whether whoever makes it is still there. Null when it is made.
  due_at timestamptz,
  -- How often it was begun; each making writes chunks of its own.
  making_no integer not null default 0,
  -- The making whose chunks are the file, and how large that is.
  made_no integer,
  file_bytes bigint,
  row_count bigint,
  primary key (merchant_id, statement_id),
  constraint statements_last_a_while check (ends_at > starts_at),
  constraint statements_final_have_ended check ((status = 'PROCESSING') = (ended_at is null)),
  constraint statements_completed_are_made check (
    (status = 'COMPLETED') = (num_nulls(made_no, file_bytes, row_count) = 0)),
  constraint statements_open_are_due check (status <> 'PROCESSING' or due_at is not null)
);
create index if not exists statements_due on statements (due_at) where due_at is not null;
create index if not exists statements_by_time on statements (created_at);

-- A file in pieces, so that neither whoever makes it nor whoever hands it out ever holds all of it. Sealed: it names
-- payers.
create table if not exists statement_chunks (
  merchant_id uuid not null,
  statement_id uuid not null,
  making_no integer not null,
  chunk_no integer not null,
  sealed_bytes bytea not null,
  primary key (merchant_id, statement_id, making_no, chunk_no),
  foreign key (merchant_id, statement_id) references statements on delete cascade
);
-- What is sealed cannot be compressed.
alter table statement_chunks alter column sealed_bytes set storage external;
