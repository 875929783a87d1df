// Whether two cells have the same time: what their clocks show, and the time of what is written there, which can stand
// ahead of the clock.
import type { Tx } from '../../store/database.ts';
import { readDatabaseTimes } from '../../store/monitoring/database-time.ts';
import { CLOCK_DIFFERENCE_MAX_MS } from './clock-check.ts';

/** The times of what is written in both cells, at one moment. */
export type TimesDiffer = {
  readonly type: 'TIMES_DIFFER';
  readonly here: Date;
  readonly there: Date;
};

/** How far a database's times are ahead of the monotonic clock of this process. */
type Offsets = { readonly shownMs: number; readonly writingMs: number };

/** The database read its clock about half the round trip ago. */
async function readOffsets(tx: Tx): Promise<Offsets> {
  const askedAt = performance.now();
  const { shown, writing } = await readDatabaseTimes(tx);
  const readAt = (askedAt + performance.now()) / 2;
  return { shownMs: shown.getTime() - readAt, writingMs: writing.getTime() - readAt };
}

/** Null where both agree as well as a process and its database must. */
export async function findDifferentTimes(here: Tx, there: Tx): Promise<TimesDiffer | null> {
  const own = await readOffsets(here);
  const other = await readOffsets(there);
  const clocksMs = Math.abs(own.shownMs - other.shownMs);
  const writingMs = Math.abs(own.writingMs - other.writingMs);
  if (Math.max(clocksMs, writingMs) <= CLOCK_DIFFERENCE_MAX_MS) return null;
  // Where both stand at one time that is ahead, the clocks tell them apart.
  const [a, b] = writingMs > clocksMs ? [own.writingMs, other.writingMs] : [own.shownMs, other.shownMs];
  const now = performance.now();
  return { type: 'TIMES_DIFFER', here: new Date(now + a), there: new Date(now + b) };
}
