// After a change of sealing keys: seals anew what the older ones have sealed, while everybody goes on. The data keys of
// merchants are wrapped anew, not changed; core/encryption/replace-data-key.ts does that.
import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction } from '../../store/database.ts';
import {
  resealPage,
  type PageOrder,
  type ResealedPage,
  type Resealing,
} from '../../store/encryption/re-encryption.ts';
import {
  HOUSE_COLUMNS,
  rowOf,
  WRAPPED_COLUMNS,
  type SealedColumn,
} from '../../store/encryption/encrypted-columns.ts';
import { HOUSE, type Keyring } from '../../store/encryption/encryption.ts';
import { record, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';

/** Rows are locked until their page is committed, and writers wait three seconds for a lock: a page takes far less. */
const PAGE = 200;

/** How often somebody who watches hears of a large table. */
const PROGRESS_PAGES = 50;

/** Whoever has locked a row has let go of it by then, or after a minute at the latest. */
const LOCKED_WAIT_MS = 200;

/** What is under an older key after so many rounds is being sealed under it, by a process that has it in front. */
const ROUNDS_MAX = 3;

/** How many values of a table so far, from time to time and at its end. */
export type OnProgress = (table: string, resealed: number) => void | Promise<void>;

/** What rounds of resealing came to: `inUse` are the older keys that somebody still seals under. */
export type Resealed = { readonly resealed: number; readonly inUse: readonly number[] };

/** Older keys that nothing is sealed under any more can be taken away. */
export type ResealedKeys = Resealed & { readonly unused: readonly number[] };

/** What was cut off is taken up by the next run: what is sealed anew is passed over. */
export async function reseal(
  engine: Engine,
  { by, onProgress }: ByHand & { readonly onProgress: OnProgress },
): Promise<ResealedKeys> {
  const { database, keyring } = engine.store;
  const subject = `sealing key ${keyring.firstKeyId}`;
  // Before the first value, so that there is no resealing without an entry.
  await record(engine, database, [{ by, act: 'DATA_RESEALED', merchantId: null, subject, detail: {} }]);
  const answer = await resealInRounds(houseResealings(keyring), {
    onProgress,
    page: (resealing, order) => inTransaction(database, (tx) => resealPage(tx, resealing, order)),
  });
  return { ...answer, unused: keyring.olderKeyIds.filter((id) => !answer.inUse.includes(id)) };
}

function houseResealings(keyring: Keyring): readonly Resealing[] {
  const under = { merchantId: null, keyNo: keyring.firstKeyId };
  const wrapped = WRAPPED_COLUMNS.map((of): Resealing => ({
    ...under,
    of,
    reseal: ({ key: [merchantId = ''], named: [no] }, sealed) =>
      keyring.rewrapDataKey(merchantId, { no: Number(no), wrapped: sealed }),
  }));
  return [...wrapped, ...HOUSE_COLUMNS.map((of) => ({ ...under, of, reseal: resealer(keyring, of, HOUSE) }))];
}

/** Opens a value and seals it under the key that seals now. */
export function resealer(keyring: Keyring, of: SealedColumn, merchantId: string): Resealing['reseal'] {
  return (name, sealed) => {
    const identity = { merchantId, row: rowOf(of, name) };
    return keyring.seal(identity, keyring.open(identity, sealed));
  };
}

/** What is to be done with a column, whatever that is. */
type Work = { readonly of: { readonly table: string } };

type RoundOrder<Column extends Work> = {
  readonly onProgress: OnProgress;
  readonly page: (column: Column, order: PageOrder) => Promise<ResealedPage>;
};

/** Goes over all columns until a round finds nothing: only then is it known that nothing is left. */
export async function resealInRounds<Column extends Work>(
  columns: readonly Column[],
  order: RoundOrder<Column>,
): Promise<Resealed> {
  let resealed = 0;
  let inUse = new Set<number>();
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    inUse = new Set();
    for (const column of columns) resealed += await resealColumn(column, { ...order, inUse });
    if (inUse.size === 0) break;
  }
  return { resealed, inUse: [...inUse] };
}

async function resealColumn<Column extends Work>(
  column: Column,
  { inUse, onProgress, page }: RoundOrder<Column> & { readonly inUse: Set<number> },
): Promise<number> {
  const { table } = column.of;
  let resealed = 0;
  let from: PageOrder | null = { after: null, countMax: PAGE };
  for (let pages = 1; from !== null; pages += 1) {
    const done: ResealedPage = await page(column, from);
    for (const no of done.keyNos) inUse.add(no);
    resealed += done.resealed;
    if (pages % PROGRESS_PAGES === 0) await onProgress(table, resealed);
    if (done.left > 0) await wait(LOCKED_WAIT_MS);
    else from = done.next === null ? null : { ...from, after: done.next };
  }
  if (resealed > 0) await onProgress(table, resealed);
  return resealed;
}
