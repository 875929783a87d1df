// Holds requests up inside the database: anyone who needs the table waits until the lock is released.
import { Client } from 'pg';

export type TableLock = {
  /** How many wait for this or any other lock of the database. */
  readonly countWaiting: () => Promise<number>;
  readonly release: () => Promise<void>;
};

/** EXCLUSIVE: it can be read meanwhile. */
export async function lockTable(
  databaseUrl: string,
  table: string,
  mode: 'ACCESS EXCLUSIVE' | 'EXCLUSIVE' = 'ACCESS EXCLUSIVE',
): Promise<TableLock> {
  const client = new Client({ connectionString: databaseUrl });
  // A test that failed before it released the lock must fail for its own reason.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`begin; lock table ${table} in ${mode} mode`);
  return {
    countWaiting: async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks where not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    },
    release: async () => {
      await client.query('commit');
      await client.end();
    },
  };
}
