// The last step of a move, where a merchant has left the old cell and not arrived in the new one: everybody is told,
// its endpoint queues are opened, and it is served.
import { inTransaction } from '../../../store/database.ts';
import { findMigrationLock } from '../../../store/cells/migration-locks.ts';
import { keepMoves, recordMove } from '../../../store/cells/merchant-moves.ts';
import { arrive } from '../../../store/cells/moving/steps.ts';
import { record, type Actor } from '../../audit.ts';
import type { Engine } from '../../engine.ts';

export type Arrival = Actor & {
  readonly merchantId: string;
  readonly moveId: string;
  readonly home: string;
  /** The cell it left. */
  readonly from: string;
};

/** Doing it twice, or at once with somebody else, is harmless: the second one finds the merchant there. */
export async function openToMerchant(to: Engine, arrival: Arrival): Promise<void> {
  const { merchantId, moveId, home, from, by } = arrival;
  const { database } = to.store;
  const migrationLock = await findMigrationLock(database, merchantId);
  // It arrived before, and may have gone further since.
  if (migrationLock?.state !== 'ARRIVING' || migrationLock.moveId !== moveId) return;
  const place = { merchantId, home, cell: to.home };
  const move = await inTransaction(to.databaseOf(to.directoryCell), async (tx) =>
    recordMove(tx, { ...place, movedAt: await to.clock.timeOf(tx) }),
  );
  await inTransaction(database, async (tx) => {
    await keepMoves(tx, [move]);
    if (!(await arrive(tx, arrival, await to.clock.timeOf(tx)))) return;
    const detail = { from, to: to.home, moveId };
    await record(to, tx, [{ by, act: 'MERCHANT_MOVED', merchantId, subject: merchantId, detail }]);
  });
  to.wake();
}
