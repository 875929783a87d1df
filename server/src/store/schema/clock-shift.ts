// One movable clock for a sandbox or a test: real time plus a shift kept in the database. Every process reads it, and
// so does the time of what is written. Production never has it: see docs/decisions/0033-time-is-the-databases.md.
import type { Database } from '../database.ts';

/** Any fixed number: of several processes that start at once one installs it. */
const INSTALLING_LOCK = 7_062;

export async function installClockShift(database: Database): Promise<void> {
  // A role with fewer rights may use it and could not make it.
  if (await isClockShiftInstalled(database)) return;
  await database.query(`
    select pg_advisory_xact_lock(${INSTALLING_LOCK});
    create table if not exists clock_shift (
      only_row boolean primary key default true check (only_row), shift interval not null);
    insert into clock_shift (shift) values ('0') on conflict do nothing;
    create or replace function time_shift() returns interval language plpgsql stable as
      $$ begin return (select shift from clock_shift); end $$;`);
}

export async function isClockShiftInstalled(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ found: string | null }>(
    `select to_regclass('clock_shift')::text as found`,
  );
  return (rows[0]?.found ?? null) !== null;
}

export async function readClockShift(database: Database): Promise<number> {
  const { rows } = await database.query<{ shift_ms: string }>(
    'select (extract(epoch from shift) * 1000)::bigint as shift_ms from clock_shift',
  );
  return Number(rows[0]?.shift_ms ?? 0);
}

/** Moves the clock. Answers the whole shift, in milliseconds. */
export async function addClockShift(database: Database, byMs: number): Promise<number> {
  const { rows } = await database.query<{ shift_ms: string }>(
    `update clock_shift set shift = shift + $1 * interval '1 millisecond'
     returning (extract(epoch from shift) * 1000)::bigint as shift_ms`,
    [byMs],
  );
  return Number(rows[0]?.shift_ms ?? 0);
}
