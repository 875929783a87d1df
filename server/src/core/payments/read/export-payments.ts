// Payments for a file: page after page of what is found, up to a bound. Who asked is recorded before the first one.
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { record, type Actor } from '../../audit.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import type { Engine, StorePart, TimedStore } from '../../engine.ts';
import { merchantPortions, readPage, type FindOrder, type PaymentPage } from './find-payments.ts';
import { hidePersonal } from './read-timeline.ts';

export type ExportOrder = Actor &
  Omit<FindOrder, 'after' | 'countMax'> & {
    /** With personal data. */
    readonly isRevealed: boolean;
    readonly rowsMax: number;
  };

export type ExportedPage = {
  readonly payments: readonly StoredPayment[];
  /** On the last page: there are more payments than one file holds. */
  readonly isCut: boolean;
};

const PAGE_ROWS = 500;

/**
 * The newest first; of all merchants, one merchant after the other. No transaction is open between two pages. Throws
 * MerchantInOtherCell where the one merchant is not in this cell.
 */
export async function exportPayments(
  engine: TimedStore & Pick<Engine, 'cellAssignments'>,
  order: ExportOrder,
): Promise<AsyncIterable<ExportedPage>> {
  const { by, filter, to, isRevealed } = order;
  const { merchantId } = filter;
  if (merchantId !== null) await requireStillHere(engine.cellAssignments, merchantId);
  const detail = {
    isRevealed,
    isSearch: order.search.trim() !== '',
    from: filter.from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
  };
  const entry = {
    by,
    act: 'PAYMENTS_EXPORTED',
    merchantId,
    subject: merchantId ?? 'all merchants',
    detail,
  } as const;
  await record(engine, engine.store.database, [entry]);
  return boundedPages(engine, order);
}

async function* boundedPages(engine: StorePart, order: ExportOrder): AsyncGenerator<ExportedPage> {
  let room = order.rowsMax;
  for await (const page of allPages(engine, order)) {
    const payments = page.slice(0, room).map((one) => (order.isRevealed ? one : hidePersonal(one)));
    const isCut = page.length > room;
    room -= payments.length;
    yield { payments, isCut };
    if (isCut) return;
  }
}

async function* allPages(engine: StorePart, order: ExportOrder): AsyncGenerator<readonly StoredPayment[]> {
  for await (const merchantIds of merchantPortions(engine, order.filter)) {
    for (const merchantId of merchantIds) yield* pagesOf(engine, order, merchantId);
  }
}

async function* pagesOf(
  engine: StorePart,
  order: ExportOrder,
  merchantId: string,
): AsyncGenerator<readonly StoredPayment[]> {
  const filter = { ...order.filter, merchantId };
  let after: FindOrder['after'] = null;
  do {
    const page: PaymentPage = await readPage(engine, { ...order, filter, after, countMax: PAGE_ROWS });
    yield page.payments;
    after = page.next;
  } while (after !== null);
}
