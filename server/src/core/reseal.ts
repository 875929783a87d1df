// After a change of sealing keys: seals anew what the older ones have sealed, while everybody goes on.
import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction } from '../store/database.ts';
import { resealPage, SEALED_COLUMNS, type PageOrder, type SealedColumn } from '../store/resealing.ts';
import { record, type ByHand } from './audit.ts';
import type { Engine } from './engine.ts';

/** Rows are locked until their page is committed, and writers wait three seconds for a lock: a page takes far less. */
const PAGE = 200;

/** How often somebody who watches hears of a large table. */
const PROGRESS_PAGES = 50;

/** Whoever has locked a row has let go of it by then, or after a minute at the latest. */
const LOCKED_WAIT_MS = 200;

/** What is under an older key after so many rounds is being sealed under it, by a process that has it in front. */
const ROUNDS_MAX = 3;

export type ResealOrder = ByHand & {
  /** How many values of a table so far, from time to time and at its end. */
  readonly onProgress: (table: string, resealed: number) => void;
};

export type Resealing = {
  readonly resealed: number;
  /** Older keys that nothing is sealed under any more. */
  readonly unused: readonly number[];
  /** Older keys that somebody still seals under. */
  readonly inUse: readonly number[];
};

/** What was cut off is taken up by the next run: what is sealed anew is passed over. */
export async function reseal(engine: Engine, order: ResealOrder): Promise<Resealing> {
  const { database, keyring } = engine.store;
  const subject = `sealing key ${keyring.firstKeyId}`;
  const entry = { by: order.by, act: 'DATA_RESEALED', merchantId: null, subject, detail: {} } as const;
  // Before the first value, so that there is no resealing without an entry.
  await record(engine, database, [entry]);
  let resealed = 0;
  let inUse = new Set<number>();
  // The last round finds nothing: only then is it known that nothing is left.
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    inUse = new Set();
    for (const column of SEALED_COLUMNS) resealed += await resealColumn(engine, column, { ...order, inUse });
    if (inUse.size === 0) break;
  }
  return { resealed, unused: keyring.olderKeyIds.filter((id) => !inUse.has(id)), inUse: [...inUse] };
}

async function resealColumn(
  { store }: Engine,
  column: SealedColumn,
  { inUse, onProgress }: ResealOrder & { readonly inUse: Set<number> },
): Promise<number> {
  let resealed = 0;
  let from: PageOrder | null = { after: null, countMax: PAGE };
  for (let pages = 1; from !== null; pages += 1) {
    const order: PageOrder = from;
    const page = await inTransaction(store.database, (tx) => resealPage(tx, store.keyring, column, order));
    for (const id of page.keyIds) inUse.add(id);
    resealed += page.resealed;
    if (pages % PROGRESS_PAGES === 0) onProgress(column.table, resealed);
    if (page.left > 0) await wait(LOCKED_WAIT_MS);
    else from = page.next === null ? null : { ...order, after: page.next };
  }
  if (resealed > 0) onProgress(column.table, resealed);
  return resealed;
}
