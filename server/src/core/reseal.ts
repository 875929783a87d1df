// After a change of sealing keys: seals anew what the older ones have sealed, while everybody goes on.
import { inTransaction } from '../store/database.ts';
import { resealPage, SEALED_COLUMNS, type SealedColumn } from '../store/resealing.ts';
import { record, type ByHand } from './audit.ts';
import type { Engine } from './engine.ts';

/** Rows are locked until their page is committed, and writers wait three seconds for a lock: a page takes far less. */
const PAGE = 200;

export type ResealOrder = ByHand & { readonly onDone: (table: string, count: number) => void };

/** Answers how many values. What was cut off is taken up by the next run: what is sealed anew is passed over. */
export async function reseal(engine: Engine, { by, onDone }: ResealOrder): Promise<number> {
  const { database, keyring } = engine.store;
  const subject = `sealing key ${keyring.firstKeyId}`;
  // Before the first value, so that there is no resealing without an entry.
  await record(engine, database, [{ by, act: 'DATA_RESEALED', merchantId: null, subject, detail: {} }]);
  let total = 0;
  for (const column of SEALED_COLUMNS) {
    const count = await resealColumn(engine, column);
    onDone(column.table, count);
    total += count;
  }
  return total;
}

async function resealColumn({ store }: Engine, column: SealedColumn): Promise<number> {
  let count = 0;
  let after: readonly string[] | null = null;
  do {
    const from = { after, countMax: PAGE };
    const page = await inTransaction(store.database, (tx) => resealPage(tx, store.keyring, column, from));
    count += page.count;
    after = page.next;
  } while (after !== null);
  return count;
}
