// The database's own time, whatever a sandbox did to that of payments: compared with the clocks of processes, and
// written where people sign in.
import type { Tx } from '../database.ts';

export async function readDatabaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ time: Date }>('select clock_timestamp() as time');
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return row.time;
}
