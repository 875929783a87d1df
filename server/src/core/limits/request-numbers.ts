// Lists of numbers as people change them. One person blocks a number, or ends its allowance, at once; to allow one, or
// to end a block, takes two people. Requested numbers wait as rows of the list that do not count.
import { maskPhoneNumber } from '../../domain/masking.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  deleteListedNumbers,
  deleteRequestedNumbers,
  findEntriesOfNumber,
  findNumberEntry,
  insertListedNumbers,
  listNumbersOfApproval,
  putOnList,
  type ListedNumber,
  type OfNumberList,
} from '../../store/limits/listed-numbers.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import { NotExecuted, type Approving, type Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import { inEveryCell, type CellAnswer } from '../cells/in-every-cell.ts';
import { lockOneMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { listNumbers, noteNumbers, rowsOf, unlistNumbers, type NewEntry } from './listed-numbers.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';

type ListOrder = Ordered & OfNumberList;

/** `cells` is empty where it is pending approval. */
export type NumbersChanged = { readonly outcome: Outcome; readonly cells: readonly CellAnswer<unknown>[] };

/** As many with one statement. */
const PORTION = 1_000;

export async function addNumbers(
  engine: Engine,
  { actor, secondApprover, ...added }: ListOrder & { readonly entries: readonly NewEntry[] },
): Promise<NumbersChanged> {
  const order = { ...added, by: actor.by };
  if (added.list === 'ALLOWED' && isNeeded({ actor, secondApprover })) {
    await requestAddition(engine, { ...added, actor });
    return { outcome: 'REQUESTED', cells: [] };
  }
  const cells: CellAnswer<unknown>[] = [];
  for (const entries of portionsOf(added.entries))
    cells.push(...(await listNumbers(engine, { ...order, entries })));
  return { outcome: 'DONE', cells };
}

type Addition = Omit<Parameters<typeof addNumbers>[1], 'secondApprover'>;

async function requestAddition(engine: Engine, { actor, ...added }: Addition): Promise<void> {
  const { merchantId, list } = added;
  const rows = await rowsOf(engine, { ...added, by: actor.by });
  const subject = rows[0]?.entryId;
  if (subject === undefined) return;
  await inPlace(engine, merchantId, async (tx) => {
    const number = rows.length === 1 ? maskPhoneNumber(rows[0]?.phoneNumber ?? '') : '';
    const request = { list, change: 'ADD', count: rows.length, number } as const;
    const wanted = { actor, merchantId, kind: 'NUMBER_LIST', subject, request } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    const requested = rows.map((row) => ({ ...row, approvalId, isRequested: true }));
    for (const portion of portionsOf(requested)) await insertListedNumbers(tx, engine.store.keyring, portion);
  });
}

export async function removeNumber(
  engine: Engine,
  { actor, secondApprover, entryId }: Ordered & { readonly entryId: string },
): Promise<NumbersChanged | 'NOT_FOUND'> {
  const { database, keyring } = engine.store;
  const entry = await findNumberEntry(database, keyring, entryId);
  if (entry === null || entry.isRequested) return 'NOT_FOUND';
  const { merchantId, list, phoneNumber } = entry;
  if (list === 'BLOCKED' && isNeeded({ actor, secondApprover })) {
    const request = { list, change: 'REMOVE', count: 1, number: maskPhoneNumber(phoneNumber) } as const;
    const wanted = { actor, merchantId, kind: 'NUMBER_LIST', subject: entryId, request } as const;
    await inPlace(engine, merchantId, (tx) => requestApproval(engine, tx, wanted));
    return { outcome: 'REQUESTED', cells: [] };
  }
  const order = { by: actor.by, merchantId, list, phoneNumbers: [phoneNumber] };
  return { outcome: 'DONE', cells: await unlistNumbers(engine, order) };
}

/** The entry that a number has on a list; null where it is not on it. */
export async function findOnList(
  { store }: Engine,
  { merchantId, list, phoneNumber }: OfNumberList & { readonly phoneNumber: string },
): Promise<ListedNumber | null> {
  const hashes = numberHashes(store.keyring, phoneNumber);
  const found = await findEntriesOfNumber(store.database, store.keyring, hashes);
  return found.find((one) => one.merchantId === merchantId && one.list === list) ?? null;
}

export const numberListExecutor: Executor<'NUMBER_LIST'> = {
  show: ({ list, change, count, number }) => ({ list, change, count: String(count), number }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const count =
      approval.request.change === 'ADD'
        ? await putOnList(tx, approval.approvalId)
        : await remove(engine, tx, approval);
    // Meanwhile blocked again for another reason, or removed.
    if (count !== approval.request.count) throw new NotExecuted();
    await note(engine, tx, { by, approval, count });
  },
  // A cell that does not answer keeps its list as it was.
  after: async (approving) => {
    if (approving.approval.merchantId === null) await doInOtherCells(approving);
  },
  end: async ({ tx, approval }) => deleteRequestedNumbers(tx, approval.approvalId),
};

type Decided = Approval<'NUMBER_LIST'>;

/** Answers how many. An entry has the same identifier in every cell. */
async function remove({ store }: Engine, tx: Tx, { merchantId, subject, request }: Decided): Promise<number> {
  const entry = await findNumberEntry(tx, store.keyring, subject);
  if (entry === null) return 0;
  const hashes = numberHashes(store.keyring, entry.phoneNumber);
  return deleteListedNumbers(tx, { merchantId, list: request.list }, hashes);
}

async function doInOtherCells({
  engine,
  approval,
  decider: { by },
}: Approving<'NUMBER_LIST'>): Promise<void> {
  const { home, databaseOf, cells } = engine;
  if (cells.every((cell) => cell === home)) return;
  const added = await readAll(engine, approval.approvalId);
  await inEveryCell(engine, async (database) => {
    if (database === databaseOf(home)) return;
    await inTransaction(database, async (tx) => {
      for (const portion of portionsOf(added)) await insertListedNumbers(tx, engine.store.keyring, portion);
      const count = approval.request.change === 'ADD' ? added.length : await remove(engine, tx, approval);
      await note(engine, tx, { by, approval, count });
    });
  });
}

async function readAll({ store }: Engine, approvalId: string): Promise<readonly ListedNumber[]> {
  const all: ListedNumber[] = [];
  for (;;) {
    const page = { approvalId, after: all.at(-1)?.entryId ?? null, countMax: PORTION };
    const read = await listNumbersOfApproval(store.database, store.keyring, page);
    all.push(...read);
    if (read.length < PORTION) return all;
  }
}

async function note(
  engine: Engine,
  tx: Tx,
  { by, approval, count }: { readonly by: string; readonly approval: Decided; readonly count: number },
): Promise<void> {
  const { merchantId, request } = approval;
  const act = request.change === 'ADD' ? 'NUMBERS_LISTED' : 'NUMBERS_UNLISTED';
  await noteNumbers(engine, tx, { by, merchantId, list: request.list }, { act, count });
}

async function inPlace(
  { store }: Engine,
  merchantId: string | null,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await inTransaction(store.database, async (tx) => {
    if (merchantId !== null) await lockOneMerchant(tx, merchantId);
    await work(tx);
  });
}

function portionsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / PORTION);
  return Array.from({ length: count }, (_, at) => items.slice(at * PORTION, (at + 1) * PORTION));
}
