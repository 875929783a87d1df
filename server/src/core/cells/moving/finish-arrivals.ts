// Finishes moves whose mover died after the old cell had let the merchant go: until then the old cell serves it, and
// from then on no one would. The new cell's workers check whether a merchant waits to arrive.
import {
  findMigrationLock,
  listMigrationLocks,
  type MigrationLock,
} from '../../../store/cells/migration-locks.ts';
import { findMerchant } from '../../../store/merchants/merchants.ts';
import type { Engine } from '../../engine.ts';
import { openToMerchant } from './open-to-merchant.ts';

/** No one in person: the person who began the move is recorded in the old cell. */
const BY = 'malipo';

type Report = { readonly onError: (error: unknown) => void };

/** Answers what finishes moves, a round at a time. A cell that is out of reach keeps only the merchants it had. */
export function createArrivals(engine: Engine): (report: Report) => Promise<void> {
  let seen: ReadonlySet<string> = new Set();
  return async ({ onError }) => {
    const arriving = (await listMigrationLocks(engine.store.database)).filter(
      ({ state }) => state === 'ARRIVING',
    );
    const gone: string[] = [];
    for (const migrationLock of arriving) {
      const isGone = await hasLeft(engine, migrationLock).catch(onError);
      if (isGone === true) gone.push(migrationLock.moveId);
    }
    // Only what was so a round ago: by now no one there believes any more that the merchant is, and a mover that lives
    // has done it itself.
    for (const migrationLock of arriving.filter(({ moveId }) => gone.includes(moveId) && seen.has(moveId))) {
      await finish(engine, migrationLock).catch(onError);
    }
    seen = new Set(gone);
  };
}

async function hasLeft(engine: Engine, { merchantId, moveId, otherCell }: MigrationLock): Promise<boolean> {
  const there = await findMigrationLock(engine.databaseOf(otherCell), merchantId);
  return there?.state === 'AWAY' && there.moveId === moveId;
}

async function finish(engine: Engine, { merchantId, moveId, otherCell }: MigrationLock): Promise<void> {
  const merchant = await findMerchant(engine.store.database, merchantId);
  if (merchant === null) throw new Error(`merchant ${merchantId} has left ${otherCell} and is not here`);
  await openToMerchant(engine, { merchantId, moveId, from: otherCell, home: merchant.home, by: BY });
}
