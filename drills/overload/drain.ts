import type { Database } from '../../server/src/store/database.ts';
import { comeToRest } from '../kit/settle.ts';

/** Waits until nothing is open. Returns the seconds since `endedAt`, or null if the time was over first. */
export async function drain(
  database: Database,
  { endedAt, patienceMs }: { readonly endedAt: number; readonly patienceMs: number },
): Promise<number | null> {
  const isAtRest = await comeToRest([database], {
    patienceMs,
    say: () => undefined,
    meanwhile: async () => undefined,
  });
  return isAtRest ? (performance.now() - endedAt) / 1_000 : null;
}
