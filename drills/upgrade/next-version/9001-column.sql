-- What the next version of the upgrade drill needs: the day of a payment in a column.
alter table payments add column created_on date;

-- Processes of the earlier version go on writing payments, and do not know the column.
create function fill_created_on() returns trigger language plpgsql as $$
begin
  new.created_on := (new.created_at at time zone 'UTC')::date;
  return new;
end $$;
create trigger payments_fill_created_on before insert or update on payments for each row
  when (new.created_on is null) execute function fill_created_on();
