-- Steps are taken from the payments themselves: a queue besides cost a third of the database's work for every payment.
-- breaking: an older process would put its steps into the queue that is dropped here.
drop schema pgboss cascade;

-- By action as well: a pile of one kind of step must not be waded through by whoever looks for the other.
drop index payments_due;
create index payments_due on payments (next_action, next_action_at) where next_action is not null;
