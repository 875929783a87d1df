-- Fills the new column of the payments that were there before.
-- outside a transaction: each batch is committed, so that no process waits for the whole table.
-- in batches: the last statement waits for the few rows that were in use.
update payments set created_on = (created_at at time zone 'UTC')::date where payment_no = any (array(
  select payment_no from payments where created_on is null limit 100 for update skip locked));
update payments set created_on = (created_at at time zone 'UTC')::date where created_on is null;
