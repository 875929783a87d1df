-- A permission to send that ended before a byte was written is counted, so that its payment can be sent later.
alter table payment_attempts add column unsent_count integer not null default 0,
  add constraint payment_attempts_unsent_were_permitted check (unsent_count between 0 and send_count) not valid;
alter table payment_attempts validate constraint payment_attempts_unsent_were_permitted;
