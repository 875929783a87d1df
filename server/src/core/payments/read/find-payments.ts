// Finds payments for people: by anything that names one of them, narrowed by what they are like. Of one merchant, or of
// all merchants of this cell for the platform's people.
import { findCountry, listProviders } from '../../../domain/operators/catalogue.ts';
import { identifiersFrom } from '../../../domain/identifier.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { listMerchantIds } from '../../../store/merchants/merchant-list.ts';
import {
  listPage,
  sumList,
  type FoundPayment,
  type PageRequest,
  type PaymentFilter,
  type PaymentCursor,
  type PaymentTotal,
} from '../../../store/payments/payment-finding.ts';
import { listMatches, sumMatches, type Matching } from '../../../store/payments/payment-matches.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import type { Engine, StorePart, TimedStore } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import { record, type Actor } from '../../audit.ts';
import { metadataFields, searchValue } from '../search-terms.ts';

export type FindOrder = {
  readonly filter: Omit<PaymentFilter, 'providers'> & {
    /** Null for all of them. */
    readonly providers: readonly string[] | null;
  };
  /** Before this time; null for until now. */
  readonly to: Date | null;
  /** What a person typed: an identifier, a reference, a phone number, a value of the metadata. Empty for all. */
  readonly search: string;
  /** IDENTIFIERS: the text is an identifier or its beginning, and nothing else is looked through. */
  readonly searchIn: 'EVERYTHING' | 'IDENTIFIERS';
  /** Whether the person who searches may see personal data. Otherwise no personal value finds anything. */
  readonly mayReveal: boolean;
  /** Where the page before ended. */
  readonly after: PaymentCursor | null;
  readonly countMax: number;
};

export type PaymentPage = {
  readonly payments: readonly StoredPayment[];
  /** The payment that the next page begins after; null when this is the last. */
  readonly next: FoundPayment | null;
};

export type CellPart = Pick<Engine, 'store' | 'cellAssignments'>;

/** Throws MerchantInOtherCell where nothing is found of a merchant that is not, or no longer, in this cell. */
export async function findPayments(engine: CellPart, order: FindOrder): Promise<PaymentPage> {
  const { merchantId } = order.filter;
  const page = await readPage(engine, order);
  if (page.payments.length === 0 && merchantId !== null)
    await requireStillHere(engine.cellAssignments, merchantId);
  return page;
}

/** A merchant that is in another cell has no payments here. */
export async function readPage({ store }: StorePart, order: FindOrder): Promise<PaymentPage> {
  // One more than asked for tells whether there is another page. Nothing is counted.
  const page = pageRequestOf(order, order.countMax + 1);
  const found = await (order.search.trim() === ''
    ? listPage(store.database, page)
    : searchPage({ store }, page, order));
  const shown = found.slice(0, order.countMax);
  return {
    payments: await openFound({ store }, shown),
    next: found.length > shown.length ? (shown.at(-1) ?? null) : null,
  };
}

/** What was found, in the order in which it was found. */
export async function openFound(
  { store }: StorePart,
  keys: readonly FoundPayment[],
): Promise<readonly StoredPayment[]> {
  const payments = await listPayments(store.database, store.keyring, keys);
  const byName = new Map(payments.map((payment) => [paymentKeyText(payment), payment]));
  return keys.flatMap((key) => byName.get(paymentKeyText(key)) ?? []);
}

async function searchPage(engine: StorePart, page: PageRequest, order: FindOrder) {
  const found: FoundPayment[] = [];
  for await (const matching of matchingOf(engine, order)) {
    found.push(...(await listMatches(engine.store.database, page, matching)));
  }
  return found.toSorted(newestFirst).slice(0, page.countMax);
}

export function newestFirst(a: PaymentCursor, b: PaymentCursor): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.paymentNo < b.paymentNo ? 1 : -1);
}

/** Up to so many payments are added up: their rows are read one by one, which takes some 100 ms. */
export const TOTAL_COUNT_MAX = 10_000;

/** The sums of everything that is found. Null where that is more than TOTAL_COUNT_MAX. Throws MerchantInOtherCell. */
export async function totalPayments(
  engine: CellPart,
  order: Omit<FindOrder, 'after' | 'countMax'>,
): Promise<readonly PaymentTotal[] | null> {
  const page = pageRequestOf({ ...order, after: null }, TOTAL_COUNT_MAX + 1);
  const totals =
    order.search.trim() === ''
      ? await sumList(engine.store.database, page)
      : await totalMatches(engine, page, order);
  const { merchantId } = order.filter;
  if (totals.length === 0 && merchantId !== null) await requireStillHere(engine.cellAssignments, merchantId);
  const count = totals.reduce((sum, one) => sum + one.count, 0);
  return count > TOTAL_COUNT_MAX ? null : totals;
}

async function totalMatches(engine: StorePart, page: PageRequest, order: Searched) {
  const totals: PaymentTotal[] = [];
  for await (const matching of matchingOf(engine, order)) {
    totals.push(...(await sumMatches(engine.store.database, page, matching)));
  }
  const groups = Map.groupBy(totals, ({ kind, currency }) => `${kind} ${currency}`);
  return [...groups.values()].map((group) => group.reduce(added));
}

function added(one: PaymentTotal, other: PaymentTotal): PaymentTotal {
  return {
    ...one,
    count: one.count + other.count,
    amount: one.amount + other.amount,
    completedCount: one.completedCount + other.completedCount,
    completedAmount: one.completedAmount + other.completedAmount,
    completedFees: one.completedFees + other.completedFees,
  };
}

/** Comes after no payment of its time. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Later than anything. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z');

export function pageRequestOf(
  { filter, to, after }: Pick<FindOrder, 'filter' | 'to' | 'after'>,
  countMax: number,
): PageRequest {
  const providers = filter.providers ?? listProviders().map(({ code }) => code);
  const start = { createdAt: to ?? END_OF_TIME, paymentNo: FIRST_ID };
  // A cursor from before the time range is no reason to leave it.
  const isInRange = after !== null && newestFirst(start, after) < 0;
  return { filter: { ...filter, providers }, after: isInRange ? after : start, countMax };
}

type Searched = Pick<FindOrder, 'filter' | 'search' | 'searchIn' | 'mayReveal'>;

/** What is looked for at which merchants: hashes and identifiers are a merchant's own. */
async function* matchingOf(engine: StorePart, order: Searched): AsyncGenerator<Matching> {
  for await (const merchantIds of merchantPortions(engine, order.filter)) {
    yield termsOf(engine, order, merchantIds);
  }
}

/** As many merchants are searched with one statement. Their hashes take some milliseconds. */
const MERCHANTS_AT_ONCE = 500;

/** The merchants that a filter is about. */
export async function* merchantPortions(
  { store }: StorePart,
  { merchantId }: Pick<PaymentFilter, 'merchantId'>,
): AsyncGenerator<readonly string[]> {
  if (merchantId !== null) return yield [merchantId];
  let after: string | null = null;
  do {
    const wanted: Parameters<typeof listMerchantIds>[1] = { after, countMax: MERCHANTS_AT_ONCE };
    const merchantIds = await listMerchantIds(store.database, wanted);
    yield merchantIds;
    after = merchantIds.length < MERCHANTS_AT_ONCE ? null : (merchantIds.at(-1) ?? null);
  } while (after !== null);
}

function termsOf(engine: StorePart, order: Searched, merchantIds: readonly string[]): Matching {
  const search = order.search.trim();
  const identifiers = identifiersFrom(search);
  if (order.searchIn === 'IDENTIFIERS') return { merchantIds, identifiers, references: [], valueHashes: [] };
  const values = valuesOf(search, order.mayReveal);
  return {
    merchantIds,
    identifiers,
    // Receipts are read out and typed in, mostly without capitals.
    references: [...new Set([search, search.toUpperCase(), search.toLowerCase()])],
    valueHashes: merchantIds.flatMap((merchantId) =>
      values.flatMap((value) => engine.store.keyring.searchHashes(merchantId, value)),
    ),
  };
}

/** What names a person is looked for only with the right to see it. A number may be in any metadata. */
function valuesOf(search: string, mayReveal: boolean): readonly string[] {
  const phoneNumbers = phoneNumbersOf(search);
  const fields = metadataFields(mayReveal);
  return [
    searchValue('clientReferenceId', search),
    ...(mayReveal || phoneNumbers.length === 0 ? fields.map((field) => searchValue(field, search)) : []),
    ...(mayReveal ? phoneNumbers.map((phoneNumber) => searchValue('phoneNumber', phoneNumber)) : []),
  ];
}

const phoneNumberShape = /^\+?[\d\s().-]{6,24}$/;

/** As people write it: with a plus, with spaces, with 00, or as it is dialled within a country. */
export function phoneNumbersOf(text: string): readonly string[] {
  if (!phoneNumberShape.test(text)) return [];
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  const national = digits.replace(/^0/, '');
  const dialled = listProviders()
    .flatMap(({ country }) => findCountry(country) ?? [])
    .filter(({ nationalDigits }) => nationalDigits.includes(national.length))
    .map(({ prefix }) => `${prefix}${national}`);
  return [...new Set([digits, ...dialled])];
}

/** Searching by a number tells whose payments these are, so it is recorded; the number itself is not. */
export async function recordNumberSearch(
  engine: TimedStore,
  { by, merchantId }: Actor & { readonly merchantId: string | null },
): Promise<void> {
  const subject = merchantId ?? 'all merchants';
  const entry = { by, act: 'PHONE_NUMBER_SEARCHED', merchantId, subject, detail: {} } as const;
  await record(engine, engine.store.database, [entry]);
}
