// Sums up transfers by account, merchant and day, for balances. No payment waits for it. It goes as far as nothing can
// still be committed behind it; what is younger is read from the transfers. A step is one transaction with the progress
// that it makes, so a crash leaves nothing half summed up.
import { addMs } from '../../domain/time.ts';
import {
  addToSums,
  findFirstTransferAt,
  findSummedUntil,
  takeSummingTurn,
} from '../../store/ledger/ledger-rollups.ts';
import { COMMITS_WITHIN_MS, inTransaction } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { createSpan, type SpanOptions } from './ledger-span.ts';

/** What summing up needs of an engine. */
export type Summing = Pick<Engine, 'clock' | 'clockCheck'> & {
  readonly store: Pick<Engine['store'], 'database'>;
};

/**
 * Until there is nothing more to sum up. Where the clocks of the database and of this process differ, it may be the
 * database's that is ahead: its time would stand still where the sums end, once that clock is set right.
 */
export async function sumLedger(engine: Summing, options: SpanOptions = {}): Promise<void> {
  if (!(await engine.clockCheck.agrees(engine.store.database))) return;
  const span = createSpan(options);
  // Once for all steps: time goes on while they are made.
  const end = addMs(await engine.clock.timeOf(engine.store.database), -COMMITS_WITHIN_MS);
  while (options.isStopping?.() !== true) {
    const count = await sumStep(engine, (from) => span.endAfter(from, end));
    if (count === null) return;
    span.adapt(count);
  }
}

/** Answers how many transfers a step read; null where there is nothing to sum up, or another worker does. */
async function sumStep(
  { store: { database } }: Summing,
  endAfter: (from: Date | null) => Date | null,
): Promise<number | null> {
  return inTransaction(database, async (tx) => {
    if (!(await takeSummingTurn(tx))) return null;
    const until = endAfter((await findSummedUntil(tx)) ?? (await findFirstTransferAt(tx)));
    return until === null ? null : addToSums(tx, until);
  });
}
