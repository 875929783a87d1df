// After a change of encryption keys: encrypts again what the older ones have encrypted, while everybody goes on. The
// data keys of merchants are wrapped again, not changed; core/encryption/replace-data-key.ts does that.
import { setTimeout as wait } from 'node:timers/promises';
import { listMigrationLocks } from '../../store/cells/migration-locks.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  estimateReEncryption,
  reEncryptPage,
  type PageRequest,
  type ReEncryptedPage,
  type ReEncryption,
} from '../../store/encryption/re-encryption.ts';
import {
  PLATFORM_COLUMNS,
  rowOf,
  WRAPPED_COLUMNS,
  type EncryptedColumn,
} from '../../store/encryption/encrypted-columns.ts';
import { PLATFORM, type Keyring } from '../../store/encryption/encryption.ts';
import { record, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';

/** Rows are locked until their page is committed, and writers wait three seconds for a lock: a page takes far less. */
const PAGE = 200;

/** How often somebody who watches hears of a large table. */
const PROGRESS_PAGES = 50;

/** Anyone who has locked a row has released it by then, or after a minute at the latest. */
const LOCKED_WAIT_MS = 200;

/** What is under an older key after so many rounds is being encrypted under it, by a process that has it in front. */
const ROUNDS_MAX = 3;

/** How many values of a table were encrypted again, at its end. */
export type OnProgress = (table: string, reEncrypted: number) => void | Promise<void>;

/** How many rows of a large table were read so far, from time to time. */
export type OnRows = (table: string, read: number, total: number) => void;

/** What somebody who watches hears. */
export type Watch = { readonly onProgress: OnProgress; readonly onRows?: OnRows };

/** What rounds of re-encrypting came to: `inUse` are the older keys that somebody still encrypts under. */
export type ReEncrypted = { readonly reEncrypted: number; readonly inUse: readonly number[] };

export type ReEncryptedKeys = ReEncrypted & {
  /** Older keys that nothing is encrypted under any more can be taken away. */
  readonly unused: readonly number[];
  /** Merchants that are being moved: what is copied of them may be under any key. */
  readonly moving: readonly string[];
};

/** What was cut off is taken up by the next run: what is encrypted again is passed over. */
export async function reEncrypt(
  engine: TimedStore,
  { by, ...watch }: Actor & Watch,
): Promise<ReEncryptedKeys> {
  const { database, keyring } = engine.store;
  const subject = `encryption key ${keyring.firstKeyId}`;
  // Before the first value, so that there is no re-encrypting without an entry.
  await record(engine, database, [{ by, act: 'DATA_RE_ENCRYPTED', merchantId: null, subject, detail: {} }]);
  const before = await listMoving(database);
  const answer = await reEncryptInRounds(platformReEncryptions(keyring), {
    ...watch,
    count: (reEncryption) => estimateReEncryption(database, reEncryption),
    page: (reEncryption, order) => inTransaction(database, (tx) => reEncryptPage(tx, reEncryption, order)),
  });
  const moving = [...new Set([...before, ...(await listMoving(database))])];
  const unused = keyring.olderKeyIds.filter((id) => moving.length === 0 && !answer.inUse.includes(id));
  return { ...answer, unused, moving };
}

async function listMoving(tx: Tx): Promise<readonly string[]> {
  const locks = await listMigrationLocks(tx);
  return locks.flatMap(({ merchantId, state }) => (state === 'AWAY' ? [] : merchantId));
}

function platformReEncryptions(keyring: Keyring): readonly ReEncryption[] {
  const under = { merchantId: null, keyNo: keyring.firstKeyId };
  const wrapped = WRAPPED_COLUMNS.map((of): ReEncryption => ({
    ...under,
    of,
    reEncrypt: ({ key: [merchantId = ''], named: [no] }, encrypted) =>
      keyring.rewrapDataKey(merchantId, { no: Number(no), wrapped: encrypted }),
  }));
  return [
    ...wrapped,
    ...PLATFORM_COLUMNS.map((of) => ({ ...under, of, reEncrypt: reEncrypter(keyring, of, PLATFORM) })),
  ];
}

/** Opens a value and encrypts it under the key that encrypts now. */
export function reEncrypter(
  keyring: Keyring,
  of: EncryptedColumn,
  merchantId: string,
): ReEncryption['reEncrypt'] {
  return (name, encrypted) => {
    const identity = { merchantId, row: rowOf(of, name) };
    return keyring.encrypt(identity, keyring.open(identity, encrypted));
  };
}

/** What is to be done with a column, whatever that is. */
type Work = { readonly of: { readonly table: string } };

type RoundOrder<Column extends Work> = Watch & {
  readonly count: (column: Column) => Promise<number>;
  readonly page: (column: Column, order: PageRequest) => Promise<ReEncryptedPage>;
};

/** Goes over all columns until a round finds nothing: only then is it known that nothing is left. */
export async function reEncryptInRounds<Column extends Work>(
  columns: readonly Column[],
  order: RoundOrder<Column>,
): Promise<ReEncrypted> {
  let reEncrypted = 0;
  let inUse = new Set<number>();
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    inUse = new Set();
    for (const column of columns) reEncrypted += await reEncryptColumn(column, { ...order, inUse });
    if (inUse.size === 0) break;
  }
  return { reEncrypted, inUse: [...inUse] };
}

async function reEncryptColumn<Column extends Work>(
  column: Column,
  { inUse, onProgress, onRows, count, page }: RoundOrder<Column> & { readonly inUse: Set<number> },
): Promise<number> {
  const { table } = column.of;
  let [reEncrypted, read] = [0, 0];
  let total: number | null = null;
  let from: PageRequest | null = { after: null, countMax: PAGE };
  for (let pages = 1; from !== null; pages += 1) {
    const done: ReEncryptedPage = await page(column, from);
    for (const no of done.keyNos) inUse.add(no);
    reEncrypted += done.reEncrypted;
    if (done.left > 0) await wait(LOCKED_WAIT_MS);
    else {
      read += done.read;
      from = done.next === null ? null : { ...from, after: done.next };
    }
    if (onRows === undefined || from === null || pages % PROGRESS_PAGES !== 0) continue;
    // Counted only where a table is large.
    total ??= await count(column);
    onRows(table, read, Math.max(read, total));
  }
  if (reEncrypted > 0) await onProgress(table, reEncrypted);
  return reEncrypted;
}
