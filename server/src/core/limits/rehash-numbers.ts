// After a change of search keys: lists of numbers and frozen recipients are hashed again under the first one.
import { inTransaction, type Tx } from '../../store/database.ts';
import { lockMerchantRows } from '../../store/cells/migration-locks.ts';
import { listFreezes, replaceFrozenNumber } from '../../store/limits/freezes.ts';
import { listAllNumbers, replaceNumberHash, type ListedNumber } from '../../store/limits/listed-numbers.ts';
import type { TimedStore } from '../engine.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';

const PAGE = 500;

/** Answers how many had other hashes. Merchants that are being moved are added to `moving`, and left alone. */
export async function rehashListedNumbers(engine: TimedStore, moving: Set<string>): Promise<number> {
  const { database, keyring } = engine.store;
  let [count, after]: [number, string | null] = [await rehashFreezes(engine), null];
  for (;;) {
    const page: readonly ListedNumber[] = await listAllNumbers(database, keyring, { after, countMax: PAGE });
    count += await inTransaction(database, (tx) => rehashPage(engine, tx, page, moving));
    after = page.at(-1)?.entryId ?? null;
    if (page.length < PAGE) return count;
  }
}

async function rehashPage(
  { store }: TimedStore,
  tx: Tx,
  page: readonly ListedNumber[],
  moving: Set<string>,
): Promise<number> {
  const locks = await lockMerchantRows(
    tx,
    page.flatMap(({ merchantId }) => merchantId ?? []),
  );
  for (const [merchantId, state] of locks) if (state !== 'AWAY') moving.add(merchantId);
  let count = 0;
  for (const { entryId, merchantId, phoneNumber, numberHash } of page) {
    const [hash] = numberHashes(store.keyring, phoneNumber);
    if (hash.equals(numberHash) || (merchantId !== null && locks.has(merchantId))) continue;
    await replaceNumberHash(tx, entryId, hash);
    count += 1;
  }
  return count;
}

/** Few: they stop single recipients. */
async function rehashFreezes(engine: TimedStore): Promise<number> {
  const { store, clock } = engine;
  let count = 0;
  const now = await clock.timeOf(store.database);
  const frozen = await listFreezes(store.database, store.keyring, now);
  for (const { freezeId, subject, phoneNumber } of frozen) {
    if (phoneNumber === null) continue;
    const hash = numberHashes(store.keyring, phoneNumber)[0].toString('hex');
    if (hash === subject) continue;
    await replaceFrozenNumber(store.database, { freezeId, subject: hash });
    count += 1;
  }
  return count;
}
