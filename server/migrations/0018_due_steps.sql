-- Steps are taken from the payments themselves: a queue besides cost a third of the database's work for every payment.
-- outside a transaction: nobody may wait while the index of the work that is due is built anew.
-- breaking: an older process would put its steps into the queue that is dropped here.

-- By action as well: a pile of one kind of step must not be waded through by whoever looks for the other.
create index concurrently if not exists payments_due_steps on payments (next_action, next_action_at)
  where next_action is not null;
drop index concurrently if exists payments_due;
drop schema if exists pgboss cascade;
