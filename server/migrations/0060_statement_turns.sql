-- Merchants take turns when statements are made: when a maker last took one. The merchant after that one is next.
alter table statements add column claimed_at timestamptz;
