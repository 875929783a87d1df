// Listed numbers as people look at them. A number in full is shown to those who may, and it is recorded who asked.
import {
  findEntriesOfNumber,
  findNumberEntry,
  listListedNumbers,
  listNumbersOfApproval,
  type ListedNumber,
} from '../../store/limits/listed-numbers.ts';
import { findApproval } from '../../store/approvals/approvals.ts';
import { record, type Actor } from '../audit.ts';
import type { StorePart, TimedStore } from '../engine.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';

type Page = Parameters<typeof listListedNumbers>[2];

export async function readNumbers({ store }: StorePart, page: Page): Promise<readonly ListedNumber[]> {
  return listListedNumbers(store.database, store.keyring, page);
}

/** Null where there is no such entry. */
export async function revealNumber(
  engine: TimedStore,
  { by, entryId }: Actor & { readonly entryId: string },
): Promise<string | null> {
  const { database, keyring } = engine.store;
  const entry = await findNumberEntry(database, keyring, entryId);
  if (entry === null) return null;
  await recordShown(engine, { by, merchantId: entry.merchantId, subject: entryId, of: 'LISTED_NUMBER' });
  return entry.phoneNumber;
}

/** On every list, of the platform and of merchants. That a number was looked up is recorded, not which. */
export async function findNumber(
  engine: TimedStore,
  { by, phoneNumber }: Actor & { readonly phoneNumber: string },
): Promise<readonly ListedNumber[]> {
  const { database, keyring } = engine.store;
  const detail = { of: 'NUMBER_LISTS' };
  await record(engine, database, [
    { by, act: 'PHONE_NUMBER_SEARCHED', merchantId: null, subject: 'number lists', detail },
  ]);
  return findEntriesOfNumber(database, keyring, numberHashes(keyring, phoneNumber));
}

type RequestedPage = {
  readonly approvalId: string;
  readonly after: string | null;
  readonly countMax: number;
};

/** The numbers that a request adds or removes. Null where there is no such request. */
export async function readRequestedNumbers(
  { store }: StorePart,
  page: RequestedPage,
): Promise<readonly ListedNumber[] | null> {
  const { database, keyring } = store;
  const approval = await findApproval(database, page.approvalId);
  if (approval?.kind !== 'NUMBER_LIST') return null;
  const added = await listNumbersOfApproval(database, keyring, page);
  // What a request removes is the entry that it names.
  const removed = added.length > 0 ? null : await findNumberEntry(database, keyring, approval.subject);
  return removed === null || page.after !== null ? added : [removed];
}

export async function revealRequestedNumbers(
  engine: TimedStore,
  { by, ...page }: Actor & RequestedPage,
): Promise<readonly ListedNumber[] | null> {
  const numbers = await readRequestedNumbers(engine, page);
  if (numbers === null) return null;
  const merchantId = numbers[0]?.merchantId ?? null;
  await recordShown(engine, { by, merchantId, subject: page.approvalId, of: 'NUMBER_LIST' });
  return numbers;
}

/** Before it is shown. */
export async function recordShown(
  engine: TimedStore,
  shown: Actor & { readonly merchantId: string | null; readonly subject: string; readonly of: string },
): Promise<void> {
  const { by, merchantId, subject, of } = shown;
  const entry = { by, act: 'PERSONAL_DATA_SHOWN', merchantId, subject, detail: { of } } as const;
  await record(engine, engine.store.database, [entry]);
}
