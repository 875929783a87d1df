-- So that a code of an authenticator app works once, and a sign-in from a new device is noticed.

alter table people_second_factors add column last_step bigint;

create table people_devices (
  person_id text not null references people on delete cascade,
  -- A hash of the cookie that the device was given.
  device_hash bytea not null,
  seen_at timestamptz not null,
  primary key (person_id, device_hash)
);
