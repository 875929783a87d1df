// Gives committed events their numbers, one process of a cell at a time. What commits later is numbered later, so that
// no event appears behind a number that a reader has passed.
import { inTransaction } from '../../store/database.ts';
import { isAnyQueued, numberQueued, tryToNumber, waitToNumber } from '../../store/events/event-queue.ts';
import type { TimedDatabase } from '../engine.ts';

/** Rows of the queue; each has the events of one transaction. */
const ROWS_MAX = 500;

/** Answers whether more may wait: nothing to do, or another process does it, is IDLE. */
export async function numberEvents({ clock, store }: TimedDatabase): Promise<'MORE' | 'IDLE'> {
  if (!(await isAnyQueued(store.database))) return 'IDLE';
  return inTransaction(store.database, async (tx) => {
    if (!(await tryToNumber(tx))) return 'IDLE';
    const taken = await numberQueued(tx, { now: await clock.timeOf(tx), rowsMax: ROWS_MAX });
    return taken === ROWS_MAX ? 'MORE' : 'IDLE';
  });
}

/** Numbers everything that was committed before, also where another process is at it. */
export async function numberAllEvents({ clock, store }: TimedDatabase): Promise<void> {
  let taken = ROWS_MAX;
  while (taken === ROWS_MAX) {
    taken = await inTransaction(store.database, async (tx) => {
      await waitToNumber(tx);
      return numberQueued(tx, { now: await clock.timeOf(tx), rowsMax: ROWS_MAX });
    });
  }
}
