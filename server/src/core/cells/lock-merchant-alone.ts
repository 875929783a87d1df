// Work that needs a merchant for itself: it waits until every transaction inside the merchant has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, isLockTimeout, type Database, type Tx } from '../../store/database.ts';
import { lockAllMerchantsAlone, lockMerchantAlone } from '../../store/cells/moving/steps.ts';

/** Long enough for those who waited behind us. */
const TRY_AGAIN_AFTER_MS = 250;

/** Another transaction takes longer than others may be kept waiting for: it is tried again, a few times. */
export async function alone<Result>(work: () => Promise<Result>, triesLeft = 20): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isLockTimeout(error) || triesLeft === 0) throw error;
    await sleep(TRY_AGAIN_AFTER_MS);
    return alone(work, triesLeft - 1);
  }
}

/** Whatever is inside the merchant commits before, and whatever comes later sees what was done here. */
export async function aloneIn<Result>(
  database: Database,
  merchantId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return alone(() =>
    inTransaction(database, async (tx) => {
      await lockMerchantAlone(tx, merchantId);
      return work(tx);
    }),
  );
}

/** The same for all merchants of a cell: for what stops payments of whichever merchant. */
export async function aloneInAll<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return alone(() =>
    inTransaction(database, async (tx) => {
      await lockAllMerchantsAlone(tx);
      return work(tx);
    }),
  );
}
