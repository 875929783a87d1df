// Pages of a merchant's payments of one kind, for the API: the newest first, found by at most one value. Built from the
// statements of the dashboard's lists, but a page never looks at more than a bounded number of payments: it may have
// fewer than asked for, or none, and still be followed by another.
import type { PaymentKind, PaymentState } from '../../../domain/payments/payment.ts';
import { ENDED, listPage, type PageRequest } from '../../../store/payments/payment-finding.ts';
import { findPlace, walkOpen, walkValue, type Walked } from '../../../store/payments/payment-walks.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import type { StorePart } from '../../engine.ts';
import { metadataFields, searchValue } from '../search-terms.ts';
import { newestFirst, openFound, pageRequestOf, type CellPart, type PaymentPage } from './find-payments.ts';
import { hidePersonal } from './read-timeline.ts';

export type ListOrder = {
  readonly merchantId: string;
  readonly kind: PaymentKind;
  readonly from: Date | null;
  /** Before this time; null for until now. */
  readonly to: Date | null;
  readonly states: readonly PaymentState[];
  /** Null for all of them. */
  readonly provider: string | null;
  /** The whole value. Null for all payments. */
  readonly sought: SoughtValue | null;
  /** Whether personal data may be seen, and looked for. */
  readonly mayReveal: boolean;
  /** The payment that the page before ended with. */
  readonly after: { readonly kind: PaymentKind; readonly paymentId: string } | null;
  readonly countMax: number;
};

export type SoughtValue = {
  readonly field: 'clientReferenceId' | 'metadata' | 'phoneNumber';
  readonly value: string;
};

/** Null where the merchant has no payment that `after` names. Throws MerchantInOtherCell. */
export async function listMerchantPayments(engine: CellPart, order: ListOrder): Promise<PaymentPage | null> {
  const page = await readPageAfter(engine, order);
  if (page === null || page.payments.length === 0)
    await requireStillHere(engine.cellAssignments, order.merchantId);
  return page;
}

async function readPageAfter(engine: StorePart, order: ListOrder): Promise<PaymentPage | null> {
  const { merchantId, kind, states, provider, from, countMax } = order;
  const after =
    order.after === null ? null : await findPlace(engine.store.database, { merchantId, ...order.after });
  if (after === null && order.after !== null) return null;
  const providers = provider === null ? null : [provider];
  const filter = { merchantId, kinds: [kind], states, providers, from, amountMin: null, amountMax: null };
  // One more than asked for tells whether there is another page.
  const walks = await walkAll(engine, pageRequestOf({ filter, to: order.to, after }, countMax + 1), order);
  const { shown, next } = joinWalks(walks, countMax);
  const payments = await openFound(engine, shown);
  // One may have moved on since it was found.
  const fitting = payments.filter(({ state }) => states.includes(state));
  return { payments: order.mayReveal ? fitting : fitting.map(hidePersonal), next };
}

async function walkAll(
  { store }: StorePart,
  page: PageRequest,
  { merchantId, sought, mayReveal }: Pick<ListOrder, 'merchantId' | 'sought' | 'mayReveal'>,
): Promise<readonly Walked[]> {
  if (sought === null) return walkStates(store, page);
  const walks: Walked[] = [];
  for (const value of valuesOf(sought, mayReveal)) {
    for (const hash of store.keyring.searchHashes(merchantId, value)) {
      walks.push(await walkValue(store.database, page, hash));
    }
  }
  return walks;
}

/** What names a person is looked for only with the right to see it. */
function valuesOf({ field, value }: SoughtValue, mayReveal: boolean): readonly string[] {
  switch (field) {
    case 'clientReferenceId':
      return [searchValue(field, value)];
    case 'metadata':
      return metadataFields(mayReveal).map((one) => searchValue(one, value));
    case 'phoneNumber':
      return mayReveal ? [searchValue(field, value)] : [];
  }
}

/** Open ones first: one that ends in between is then found twice, and otherwise it would not be found at all. */
async function walkStates({ database }: StorePart['store'], page: PageRequest): Promise<readonly Walked[]> {
  const { filter } = page;
  const open = filter.states.filter((state) => !ENDED.includes(state));
  const ended = filter.states.filter((state) => ENDED.includes(state));
  const inStates = (states: readonly PaymentState[]) => ({ ...page, filter: { ...filter, states } });
  const walks: Walked[] = [];
  if (open.length > 0) walks.push(await walkOpen(database, inStates(open)));
  // Their index holds all that a list is narrowed by, so none is looked at that does not fit.
  if (ended.length > 0) walks.push({ found: await listPage(database, inStates(ended)), end: null });
  return walks;
}

/** Beyond the end of one walk, what others have found may not be the next: it is left to the next page. */
function joinWalks(walks: readonly Walked[], countMax: number) {
  const [end = null] = walks.flatMap((walked) => walked.end ?? []).toSorted(newestFirst);
  const distinct = new Map(walks.flatMap(({ found }) => found.map((one) => [one.paymentNo, one])));
  const found = [...distinct.values()]
    .filter((one) => end === null || newestFirst(one, end) <= 0)
    .toSorted(newestFirst);
  const shown = found.slice(0, countMax);
  return { shown, next: found.length > shown.length ? (shown.at(-1) ?? null) : end };
}
