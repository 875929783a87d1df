import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/src/store/database.ts';
import { countOpen } from '../kit/settle.ts';

/** Until nothing is open any more. Answers the seconds since `endedAt`, or null when patience ended first. */
export async function drain(
  database: Database,
  { endedAt, patienceMs }: { readonly endedAt: number; readonly patienceMs: number },
): Promise<number | null> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const { payments, callbacks } = await countOpen(database);
    if (payments + callbacks === 0) return (performance.now() - endedAt) / 1_000;
    await sleep(250);
  }
  return null;
}
