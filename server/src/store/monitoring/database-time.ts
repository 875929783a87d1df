// The database's own time. It is only compared with a process's clock and never written into a payment.
import type { Tx } from '../database.ts';

export async function readDatabaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ time: Date }>('select clock_timestamp() as time');
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return row.time;
}
