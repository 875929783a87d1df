// Posts balances that have left this cell into the cell they were approved for. No transaction spans two databases: the
// old cell posts with the approval, and this is repeated until the other one has them, after a crash at any point too.
import { listEndings, markArrived } from '../../../store/cells/cell-endings.ts';
import { inTransaction } from '../../../store/database.ts';
import type { Engine } from '../../engine.ts';
import { postBalances } from './balances.ts';

/**
 * Also looks again at what has arrived before: a cell whose database was restored to an earlier time gets its balances
 * once more. A cell that does not answer is tried again later.
 */
export async function completeEndings(
  engine: Engine,
  { onError }: { readonly onError: (error: unknown) => void },
): Promise<void> {
  if (engine.cells.length < 2) return;
  const { database } = engine.store;
  const endings = (await listEndings(database)).filter(
    ({ fromCell, toCell, arrivedAt }) =>
      fromCell === engine.home && (arrivedAt === null || engine.cells.includes(toCell)),
  );
  for (const ending of endings) {
    try {
      await inTransaction(engine.databaseOf(ending.toCell), (tx) =>
        postBalances(engine, tx, { ending, way: 'ARRIVE', by: `cell ${ending.fromCell}` }),
      );
      if (ending.arrivedAt === null)
        await inTransaction(database, async (tx) =>
          markArrived(tx, ending.endingId, await engine.clock.timeOf(tx)),
        );
    } catch (error) {
      onError(error);
    }
  }
}
