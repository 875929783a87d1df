// Before anything is written for a merchant, its transaction enters the merchant: a merchant that lives in another
// cell, or is on the way there, is left alone. What changes while a merchant is being copied is noted for the mover.
import type { OperationKey } from '../../domain/payments/payment.ts';
import { inTransaction, type Database, type Tx } from '../../store/database.ts';
import { lockMerchantRows, noteChanges } from '../../store/cells/migration-locks.ts';

/** Nothing was written: the merchant lives in another cell, or is on its way. */
export class MerchantInOtherCell extends Error {
  readonly merchantId: string;

  constructor(merchantId: string) {
    super(`The merchant ${merchantId} lives in another cell or is being moved; merchant show says where to.`);
    this.name = 'MerchantInOtherCell';
    this.merchantId = merchantId;
  }
}

export type LockedMerchants = {
  /** Merchants that nothing may be written for. */
  readonly away: ReadonlySet<string>;
  /** Notes changed payments of merchants that are being copied. */
  readonly note: (keys: readonly OperationKey[]) => Promise<void>;
};

/** Must come before anything else that the transaction locks. */
export async function lockForWriting(tx: Tx, merchantIds: readonly string[]): Promise<LockedMerchants> {
  const migrationLocks = await lockMerchantRows(tx, merchantIds);
  const isCopied = new Set([...migrationLocks].filter(([, state]) => state === 'COPYING').map(([id]) => id));
  return {
    away: new Set([...migrationLocks].filter(([, state]) => state !== 'COPYING').map(([id]) => id)),
    note: async (keys) =>
      noteChanges(
        tx,
        keys.filter(({ merchantId }) => isCopied.has(merchantId)),
      ),
  };
}

/** Throws MerchantInOtherCell where nothing may be written. */
export async function lockOneMerchant(tx: Tx, merchantId: string): Promise<LockedMerchants> {
  const entered = await lockForWriting(tx, [merchantId]);
  if (entered.away.has(merchantId)) throw new MerchantInOtherCell(merchantId);
  return entered;
}

/** Runs `work` in one transaction inside a merchant. Throws MerchantInOtherCell where nothing may be written. */
export async function inMerchant<Result>(
  database: Database,
  merchantId: string,
  work: (tx: Tx, entered: LockedMerchants) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (tx) => work(tx, await lockOneMerchant(tx, merchantId)));
}
