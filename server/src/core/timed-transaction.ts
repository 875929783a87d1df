// A transaction that begins with its time: for what is written without anything that brings the time along.
import { inTransaction, type Tx } from '../store/database.ts';
import type { TimedDatabase } from './engine.ts';

/** Runs `work` in one transaction, with the time of everything that it writes. */
export async function inTimedTransaction<Result>(
  { clock, store }: TimedDatabase,
  work: (tx: Tx, now: Date) => Promise<Result>,
): Promise<Result> {
  return inTransaction(store.database, async (tx) => work(tx, await clock.timeOf(tx)));
}
