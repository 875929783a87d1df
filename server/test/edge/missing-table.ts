// A fault of ours that no request expects and none can cause: a table that is not there.
import { select, type TestGateway } from '../gateway.ts';

/** Takes a table away while `work` runs. */
export async function withoutTable(
  gateway: TestGateway,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await select(gateway, `alter table ${table} rename to ${table}_away`);
  try {
    await work();
  } finally {
    await select(gateway, `alter table ${table}_away rename to ${table}`);
  }
}
