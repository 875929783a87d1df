-- Wallet statements: what a wallet held and everything that moved it, as files that workers make.

create table statements (
  merchant_id uuid not null references merchants,
  statement_id uuid not null,
  -- The wallet.
  country text not null,
  currency text not null,
  provider text not null,
  -- As requested: from the first of these times on, before the second.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Where it really ends: what moves after the request is not known yet.
  covers_until timestamptz not null,
  is_compressed boolean not null,
  -- Null where no callback is wanted.
  callback_url text,
  -- The address of this gateway that its merchant uses: the download is there.
  base_url text not null,
  status text not null constraint statements_status check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When a worker makes it, or checks whether the one that makes it still runs. Null when it is made.
  due_at timestamptz,
  -- How often it was begun; each making writes chunks of its own.
  making_no integer not null default 0,
  -- The making whose chunks are the file, and how large that is.
  made_no integer,
  file_bytes bigint,
  row_count bigint,
  -- When a worker last took one. Merchants take turns: the merchant after that one is next.
  claimed_at timestamptz,
  primary key (merchant_id, statement_id),
  constraint statements_last_a_while check (ends_at > starts_at),
  constraint statements_final_have_ended check ((status = 'PROCESSING') = (ended_at is null)),
  constraint statements_completed_are_made check (
    (status = 'COMPLETED') = (num_nulls(made_no, file_bytes, row_count) = 0)),
  constraint statements_open_are_due check (status <> 'PROCESSING' or due_at is not null)
);
create index statements_by_time on statements (created_at);
create index statements_of_merchant on statements (merchant_id, created_at, statement_id);
create index statements_claimed on statements (claimed_at) where claimed_at is not null;
-- Each merchant's next statement is found without reading the others that wait.
create index statements_due_by_merchant on statements (merchant_id, due_at) where due_at is not null;

-- A file in pieces, so that no process ever holds all of it. Encrypted: it names payers.
create table statement_chunks (
  merchant_id uuid not null,
  statement_id uuid not null,
  making_no integer not null,
  chunk_no integer not null,
  encrypted_bytes bytea not null,
  primary key (merchant_id, statement_id, making_no, chunk_no),
  foreign key (merchant_id, statement_id) references statements on delete cascade
);
-- What is encrypted cannot be compressed.
alter table statement_chunks alter column encrypted_bytes set storage external;
