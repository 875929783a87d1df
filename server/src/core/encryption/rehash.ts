// After a change of search keys: opens what is encrypted and hashes it again under the first one, while everybody goes
// on. Names of statement lines stay: what is encrypted in a line is bound to its name.
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { estimateRows, inTransaction, type Tx } from '../../store/database.ts';
import { lockMerchantRows } from '../../store/cells/migration-locks.ts';
import { rehashSearchEntries } from '../../store/payments/payment-search.ts';
import { listPaymentsByNumber } from '../../store/payments/payments.ts';
import { listBatchRows, rehashNumbers, type BatchRow } from '../../store/payout-batches/payout-batch-rows.ts';
import { replaceContentHash, type BatchKey } from '../../store/payout-batches/payout-batches.ts';
import { rehashNumbers as rehashLineNumbers } from '../../store/reconciliation/line-numbers.ts';
import {
  listKeysAfter,
  lockFreeRows,
  type KeyedTable,
  type RowKey,
} from '../../store/encryption/rehashing.ts';
import {
  declareReEncryption,
  type PageRequest,
  type ReEncryptedPage,
} from '../../store/encryption/re-encryption.ts';
import { record, type Actor } from '../audit.ts';
import { rehashListedNumbers } from '../limits/rehash-numbers.ts';
import type { StorePart, TimedStore } from '../engine.ts';
import { fingerprintOf } from '../payments/fingerprint.ts';
import { contentOf } from '../payout-batches/prepare-payouts.ts';
import { reEncryptInRounds, type Watch } from './re-encrypt.ts';
import { searchValuesOf } from '../payments/search-terms.ts';

export type Rehashed = {
  readonly rehashed: number;
  /** Whether somebody still hashes under another key than the first. */
  readonly isOlderInUse: boolean;
  /** Merchants that are being moved. Nothing of theirs was touched: copies are in progress. */
  readonly moving: readonly string[];
  /** Batches of payouts whose content no one knows any more, because a person of theirs was forgotten. */
  readonly unknownBatches: number;
};

/** What was cut off is taken up by the next run: what is under the first key is passed over. */
export async function rehash(engine: TimedStore, { by, ...watch }: Actor & Watch): Promise<Rehashed> {
  const { database } = engine.store;
  const act = { by, act: 'DATA_REHASHED', merchantId: null, subject: 'search key', detail: {} } as const;
  // Before the first value, so that there is no rehashing without an entry.
  await record(engine, database, [act]);
  const [moving, unknownBatches] = [new Set<string>(), new Set<string>()];
  const rehashings = rehashingsOf(engine, (batchId) => void unknownBatches.add(batchId));
  const listed = await rehashListedNumbers(engine, moving);
  const lines = await rehashLines(engine);
  const { reEncrypted, inUse } = await reEncryptInRounds(rehashings, {
    ...watch,
    count: ({ rows }) => estimateRows(database, `select from ${rows.table}`, []),
    page: (rehashing, order) => rehashPage(engine, { ...rehashing, moving }, order),
  });
  return {
    rehashed: reEncrypted + listed + lines,
    isOlderInUse: inUse.length > 0,
    moving: [...moving],
    unknownBatches: unknownBatches.size,
  };
}

const LINES_PAGE = 500;

/** Lines are the platform's: no move keeps them from it. */
async function rehashLines({ store: { database, keyring } }: StorePart): Promise<number> {
  let [count, after]: [number, Awaited<ReturnType<typeof rehashLineNumbers>>['next']] = [0, null];
  do {
    const page = await rehashLineNumbers(database, keyring, { after, countMax: LINES_PAGE });
    count += page.rehashed;
    after = page.next;
  } while (after !== null);
  return count;
}

type Rehashing = {
  /** Where the hashes are. */
  readonly of: { readonly table: string };
  /** Of what they are made. */
  readonly rows: KeyedTable;
  readonly countMax: number;
  /** Answers how many of these rows, which are locked, had other hashes. */
  readonly rehash: (tx: Tx, keys: readonly RowKey[]) => Promise<number>;
};

const PAYMENTS: KeyedTable = { table: 'payments', key: { payment_no: 'uuid', merchant_id: 'uuid' } };
const BATCH = { merchant_id: 'uuid', batch_id: 'uuid' } as const;
const BATCH_ROWS: KeyedTable = { table: 'payout_batch_rows', key: { ...BATCH, row_no: 'int' } };
const BATCHES: KeyedTable = { table: 'payout_batches', key: BATCH };

function rehashingsOf(engine: StorePart, onUnknown: (batchId: string) => void): readonly Rehashing[] {
  return [
    {
      of: { table: 'payment_search' },
      rows: PAYMENTS,
      countMax: 200,
      rehash: (tx, keys) => rehashPayments(engine, tx, keys),
    },
    {
      of: BATCH_ROWS,
      rows: BATCH_ROWS,
      countMax: 200,
      rehash: (tx, keys) => rehashBatchRows(engine, tx, keys),
    },
    // A batch may have ten thousand rows.
    {
      of: BATCHES,
      rows: BATCHES,
      countMax: 1,
      rehash: (tx, keys) => rehashBatches(engine, tx, keys, onUnknown),
    },
  ];
}

/** Keys behind the first have no numbers: of these it is only told whether there is one. */
const OLDER = [1];

async function rehashPage(
  engine: StorePart,
  { rows, countMax, rehash: rehashRows, moving }: Rehashing & { readonly moving: Set<string> },
  { after }: PageRequest,
): Promise<ReEncryptedPage> {
  const { database } = engine.store;
  const page = await listKeysAfter(database, rows, { after, countMax });
  const { reEncrypted, left } = await inTransaction(database, async (tx) => {
    const merchantAt = Object.keys(rows.key).indexOf('merchant_id');
    const merchantOf = (key: RowKey) => key[merchantAt] ?? '';
    const migrationLocks = await lockMerchantRows(tx, page.map(merchantOf));
    for (const [merchantId, state] of migrationLocks) if (state !== 'AWAY') moving.add(merchantId);
    const here = page.filter((key) => !migrationLocks.has(merchantOf(key)));
    await declareReEncryption(tx);
    const locked = await lockFreeRows(tx, rows, here);
    await loadDataKeys({ ...engine.store, database: tx }, locked.map(merchantOf));
    return { reEncrypted: await rehashRows(tx, locked), left: here.length - locked.length };
  });
  const next = page.length < countMax ? null : (page.at(-1) ?? null);
  return { read: page.length, reEncrypted, left, keyNos: reEncrypted > 0 ? OLDER : [], next };
}

async function rehashPayments({ store }: StorePart, tx: Tx, keys: readonly RowKey[]): Promise<number> {
  const numbers = keys.flatMap(([paymentNo]) => paymentNo ?? []);
  const payments = await listPaymentsByNumber(tx, store.keyring, numbers);
  return rehashSearchEntries(tx, store.keyring, payments.flatMap(searchValuesOf));
}

async function rehashBatchRows({ store }: StorePart, tx: Tx, keys: readonly RowKey[]): Promise<number> {
  const named = keys.map(([merchantId = '', batchId = '', rowNo]) => ({
    merchantId,
    batchId,
    rowNo: Number(rowNo),
  }));
  return rehashNumbers(tx, store.keyring, named);
}

async function rehashBatches(
  engine: StorePart,
  tx: Tx,
  keys: readonly RowKey[],
  onUnknown: (batchId: string) => void,
): Promise<number> {
  let rehashed = 0;
  for (const [merchantId = '', batchId = ''] of keys) {
    const content = await readContent(engine, tx, { merchantId, batchId });
    if (content === null) onUnknown(batchId);
    else {
      const contentHash = fingerprintOf(engine, merchantId, content);
      if (await replaceContentHash(tx, { merchantId, batchId }, contentHash)) rehashed += 1;
    }
  }
  return rehashed;
}

const ROWS_PAGE = 1_000;

/** What a batch pays to whom; null where somebody it pays was forgotten. */
async function readContent({ store }: StorePart, tx: Tx, key: BatchKey): Promise<readonly object[] | null> {
  const rows: BatchRow[] = [];
  let page: readonly BatchRow[];
  do {
    const afterNo = rows.at(-1)?.rowNo ?? 0;
    page = await listBatchRows(tx, store.keyring, { ...key, afterNo, countMax: ROWS_PAGE });
    rows.push(...page);
  } while (page.length === ROWS_PAGE);
  const isKnown = rows.every(({ order }) => order.phoneNumber !== '');
  return isKnown
    ? rows.map(({ order, ...row }) => contentOf({ ...row, phoneNumber: order.phoneNumber }))
    : null;
}
