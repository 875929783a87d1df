-- Reconciliation: operators' statements, every line of them kept as evidence beside what it was found to mean.

create table operator_statements (
  statement_id uuid primary key,
  provider text not null,
  -- Of the file's bytes: the same file again is the same statement.
  file_hash bytea not null,
  imported_at timestamptz not null,
  -- What it covers; null until the whole file was read.
  covers_from timestamptz,
  covers_to timestamptz,
  constraint operator_statements_once unique (provider, file_hash)
);

create table operator_statement_lines (
  provider text not null,
  -- Keyed, of what the line says: the same line in another file is the same line.
  line_hash bytea not null,
  -- The statement it first came in.
  statement_id uuid not null references operator_statements,
  line_no integer not null,
  -- Null until it was compared.
  finding text constraint operator_statement_lines_finding check (finding in (
    'AGREES', 'APPLIED', 'CASE', 'UNKNOWN', 'MISMATCHED', 'NOT_SENT', 'UNCONFIRMED', 'ELSEWHERE')),
  -- The payment it is about; null where it is about none of ours.
  merchant_id uuid,
  kind payment_kind,
  payment_id uuid,
  -- It may name the payer.
  sealed_line bytea not null,
  primary key (provider, line_hash)
);
create index operator_statement_lines_by_statement on operator_statement_lines (statement_id, finding, line_no);
create index operator_statement_lines_by_payment on operator_statement_lines (payment_id) where payment_id is not null;
