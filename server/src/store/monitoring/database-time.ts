// The database's own time, whatever a sandbox did to that of payments: compared with the clocks of processes, and
// written where people sign in.
import type { Tx } from '../database.ts';

export async function readDatabaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ time: Date }>('select clock_timestamp() as time');
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return row.time;
}

export type DatabaseTimes = {
  readonly real: Date;
  /** As a sandbox moved it; elsewhere the same. */
  readonly shown: Date;
  /** Of what is written now: not before the end of the sums of transfers. */
  readonly writing: Date;
};

/** All at one moment. */
export async function readDatabaseTimes(tx: Tx): Promise<DatabaseTimes> {
  const { rows } = await tx.query<DatabaseTimes>(
    `select at as real, at + time_shift() as shown, time_of_writing() as writing
     from (select clock_timestamp() as at) each`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return row;
}
