-- When a payment ended: the earlier generation tells merchants, and a time of its own is easier to find than an event.

alter table payments add column final_at timestamptz;
