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

/**
 * Lets statements that insert into a table wait until they are released. For requests that must still be in progress
 * after a while: no wait for a lock outlasts the lock time-out of three seconds, which a busy machine needs for less.
 */
export async function holdInserts(databaseUrl: string, table: string): Promise<TableLock> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`
    create table released_inserts ();
    create function wait_for_release() returns trigger language plpgsql security definer as $$
    begin
      while not exists (select from released_inserts) loop perform pg_sleep(0.01); end loop;
      return null;
    end $$;
    create trigger inserts_wait before insert on ${table} for each statement execute function wait_for_release()`);
  return {
    countWaiting: async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return rows.length;
    },
    release: async () => {
      await client.query('insert into released_inserts default values');
      await client.end();
    },
  };
}
