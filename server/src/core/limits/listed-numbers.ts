// Lists of blocked and allowed phone numbers: found when payments are accepted, changed and exported by the platform's
// people. What is for every merchant is written to every cell.
import { randomUUID } from 'node:crypto';
import type { NumberList } from '../../domain/limits/listed-number.ts';
import { inTransaction, type Database, type Tx } from '../../store/database.ts';
import {
  deleteListedNumbers,
  insertListedNumbers,
  listListedNumbers,
  lookUpNumbers,
  type ListedNumber,
  type NumberCursor,
  type OfNumberList,
} from '../../store/limits/listed-numbers.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { record, type Actor } from '../audit.ts';
import { inEveryCell, type CellAnswer } from '../cells/in-every-cell.ts';
import { lockOneMerchant } from '../cells/lock-merchant.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';

/** The same for both lists of platform and merchant: nothing is told about who blocked it. */
export const NUMBER_BLOCKED = 'This phone number is blocked.';

type Asked = {
  readonly merchant: Pick<Merchant, 'merchantId' | 'hasListedNumbers'>;
  readonly phoneNumber: string;
};

/** On which list each number is; where no merchant has lists nothing is asked of the database. */
export async function findListed(
  { store }: StorePart,
  tx: Tx,
  asked: readonly Asked[],
  now: Date,
): Promise<readonly (NumberList | undefined)[]> {
  if (!asked.some(({ merchant }) => merchant.hasListedNumbers)) return asked.map(() => undefined);
  const hashesOf = asked.map(({ phoneNumber }) => numberHashes(store.keyring, phoneNumber));
  const found = await lookUpNumbers(tx, hashesOf.flat(), now);
  return asked.map(({ merchant }, index) => {
    const hashes = new Set(hashesOf[index]?.map((hash) => hash.toString('hex')));
    const own = found.filter(
      ({ numberHash, merchantId }) =>
        hashes.has(numberHash.toString('hex')) && (merchantId === null || merchantId === merchant.merchantId),
    );
    const lists = own.map(({ list }) => list);
    return lists.includes('BLOCKED') ? 'BLOCKED' : lists[0];
  });
}

/** `merchantId` is null for a list that is for every merchant. */
type OfList = Actor & OfNumberList;

export type NewEntry = {
  readonly phoneNumber: string;
  readonly reason: string;
  readonly expiresAt: Date | null;
};

/** A number that is on the list already gets the new reason and expiry. */
export async function listNumbers(
  engine: Engine,
  order: OfList & { readonly entries: readonly NewEntry[] },
): Promise<readonly CellAnswer<void>[]> {
  const { keyring } = engine.store;
  const listed = await rowsOf(engine, order);
  return change(engine, order, async (tx) => {
    await insertListedNumbers(tx, keyring, listed);
    await noteNumbers(engine, tx, order, { act: 'NUMBERS_LISTED', count: listed.length });
  });
}

/** The rows of new entries, which were not requested. They have one time in all cells. */
export async function rowsOf(
  { store, clock }: TimedStore,
  { by, merchantId, list, entries }: OfList & { readonly entries: readonly NewEntry[] },
): Promise<readonly ListedNumber[]> {
  const addedAt = await clock.timeOf(store.database);
  const made = { merchantId, list, addedBy: by, addedAt, approvalId: null, isRequested: false };
  // A number twice in one file: what is said last counts.
  const distinct = [...new Map(entries.map((entry) => [entry.phoneNumber, entry])).values()];
  return distinct.map((entry) => ({
    ...made,
    ...entry,
    entryId: randomUUID(),
    numberHash: numberHashes(store.keyring, entry.phoneNumber)[0],
  }));
}

/** Answers how many were on the list. */
export async function unlistNumbers(
  engine: Engine,
  order: OfList & { readonly phoneNumbers: readonly string[] },
): Promise<readonly CellAnswer<number>[]> {
  const hashes = order.phoneNumbers.flatMap((one) => numberHashes(engine.store.keyring, one));
  return change(engine, order, async (tx) => {
    const count = await deleteListedNumbers(tx, order, hashes);
    await noteNumbers(engine, tx, order, { act: 'NUMBERS_UNLISTED', count });
    return count;
  });
}

/** As many with one statement. */
const PAGE = 1_000;

/** The list of this cell, page by page. Who exports it is recorded. */
export async function* exportNumbers(
  engine: TimedStore,
  order: OfList,
): AsyncGenerator<readonly ListedNumber[]> {
  const { database, keyring } = engine.store;
  await inTransaction(database, (tx) =>
    noteNumbers(engine, tx, order, { act: 'NUMBERS_EXPORTED', count: null }),
  );
  let after: NumberCursor | null = null;
  for (;;) {
    const page: readonly ListedNumber[] = await listListedNumbers(database, keyring, {
      ...order,
      after,
      countMax: PAGE,
    });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { at: last.addedAt, id: last.entryId };
  }
}

/** In the merchant's cell, or in all. */
async function change<Answer>(
  engine: Engine,
  { merchantId }: OfList,
  work: (tx: Tx) => Promise<Answer>,
): Promise<readonly CellAnswer<Answer>[]> {
  if (merchantId === null) return inEveryCell(engine, (database: Database) => inTransaction(database, work));
  const answer = await inTransaction(engine.store.database, async (tx) => {
    await lockOneMerchant(tx, merchantId);
    return work(tx);
  });
  return [{ cell: engine.home, type: 'CONFIRMED', answer }];
}

export async function noteNumbers(
  engine: TimedStore,
  tx: Tx,
  { by, merchantId, list }: OfList,
  {
    act,
    count,
  }: {
    readonly act: 'NUMBERS_LISTED' | 'NUMBERS_UNLISTED' | 'NUMBERS_EXPORTED';
    readonly count: number | null;
  },
): Promise<void> {
  const detail = count === null ? {} : { count };
  await record(engine, tx, [{ by, act, merchantId, subject: list, detail }]);
}
