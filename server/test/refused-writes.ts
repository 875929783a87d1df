// Tables that refuse what is written to them for a while: a trigger plays the reason why it cannot be written.
import { select, type TestGateway } from './gateway.ts';

/** While `work` runs, rows of the table cannot be written, or only those that do not fit `when`. */
export async function whileRefused<Result>(
  gateway: Pick<TestGateway, 'engine'>,
  { table, operation, when = 'true' }: RefusedWrites,
  work: () => Promise<Result>,
): Promise<Result> {
  await select(
    gateway,
    `create or replace function refuse_in_a_test() returns trigger language plpgsql as $$
     begin raise exception 'refused in a test' using errcode = 'check_violation'; end $$`,
  );
  await select(
    gateway,
    `create trigger refused_in_a_test before ${operation} on ${table} for each row when (${when})
       execute function refuse_in_a_test()`,
  );
  try {
    return await work();
  } finally {
    await select(gateway, `drop trigger refused_in_a_test on ${table}`);
  }
}

export type RefusedWrites = {
  readonly table: string;
  readonly operation: 'insert' | 'update';
  /** In SQL, about `new`. */
  readonly when?: string;
};
