// Finds a merchant's payments for its people: by anything that names one of them, narrowed by what they are like.
import { findCountry, listProviders } from '../../../domain/operators/catalogue.ts';
import { canonicalIdentifier, IDENTIFIER_PATTERN } from '../../../domain/identifier.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import {
  listPage,
  searchPage,
  type FoundPayment,
  type PageRequest,
  type PaymentFilter,
  type PaymentCursor,
  type SearchTerms,
} from '../../../store/payments/payment-finding.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import type { Engine, StorePart, TimedStore } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import { record, type Actor } from '../../audit.ts';
import { searchValue } from '../search-terms.ts';

export type FindOrder = {
  readonly filter: Omit<PaymentFilter, 'providers'> & {
    /** Null for all of them. */
    readonly providers: readonly string[] | null;
  };
  /** Before this time; null for until now. */
  readonly to: Date | null;
  /** What a person typed: an identifier, a reference, a phone number, a value of the metadata. Empty for all. */
  readonly search: string;
  /** Whether the person who searches may see personal data. Without, a phone number finds nothing. */
  readonly mayReveal: boolean;
  /** Where the page before ended. */
  readonly after: PaymentCursor | null;
  readonly countMax: number;
};

export type PaymentPage = {
  readonly payments: readonly StoredPayment[];
  /** Where the next page begins; null when this is the last. */
  readonly next: PaymentCursor | null;
};

export async function findPayments(engine: Engine, order: FindOrder): Promise<PaymentPage> {
  const { store } = engine;
  const { merchantId } = order.filter;
  await loadDataKeys(store, [merchantId]);
  // One more than asked for tells whether there is another page. Nothing is counted.
  const page = pageRequestOf(order, order.countMax + 1);
  const search = order.search.trim();
  const found =
    search === ''
      ? await listPage(store.database, page)
      : await searchPage(store.database, page, termsOf(engine, order, search));
  if (found.length === 0) await requireStillHere(engine.cellAssignments, merchantId);
  const shown = found.slice(0, order.countMax);
  return {
    payments: inOrder(shown, await listPayments(store.database, store.keyring, shown)),
    next: found.length > shown.length ? (shown.at(-1) ?? null) : null,
  };
}

/** Comes after no payment of its time. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Later than anything. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z');

function pageRequestOf({ filter, to, after }: FindOrder, countMax: number): PageRequest {
  const providers = filter.providers ?? listProviders().map(({ code }) => code);
  const start = { createdAt: to ?? END_OF_TIME, paymentNo: FIRST_ID };
  return { filter: { ...filter, providers }, after: after ?? start, countMax };
}

function inOrder(
  keys: readonly FoundPayment[],
  payments: readonly StoredPayment[],
): readonly StoredPayment[] {
  const byName = new Map(payments.map((payment) => [paymentKeyText(payment), payment]));
  return keys.flatMap((key) => byName.get(paymentKeyText(key)) ?? []);
}

const identifierShape = new RegExp(IDENTIFIER_PATTERN);

/** A number may be in the metadata too. */
function termsOf(engine: StorePart, { filter, mayReveal }: FindOrder, search: string): SearchTerms {
  const { merchantId } = filter;
  const phoneNumbers = phoneNumbersOf(search);
  const personal = [
    ...phoneNumbers.map((phoneNumber) => searchValue('phoneNumber', phoneNumber)),
    searchValue('metadata', search),
  ];
  const isHidden = phoneNumbers.length > 0 && !mayReveal;
  const values = [...(isHidden ? [] : personal), searchValue('clientReferenceId', search)];
  return {
    paymentId: identifierShape.test(search) ? canonicalIdentifier(search) : null,
    // Receipts are read out and typed in, mostly without capitals.
    references: [...new Set([search, search.toUpperCase(), search.toLowerCase()])],
    valueHashes: values.flatMap((value) => engine.store.keyring.searchHashes(merchantId, value)),
  };
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
  { by, merchantId }: Actor & { readonly merchantId: string },
): Promise<void> {
  const entry = { by, act: 'PHONE_NUMBER_SEARCHED', merchantId, subject: merchantId, detail: {} } as const;
  await record(engine, engine.store.database, [entry]);
}
