-- So that each merchant's next statement is found without reading the others that wait.
-- outside a transaction: a request for a statement must not wait while its indexes are built.
create index concurrently if not exists statements_claimed on statements (claimed_at) where claimed_at is not null;
create index concurrently if not exists statements_due_by_merchant on statements (merchant_id, due_at)
  where due_at is not null;
drop index concurrently if exists statements_due;
