// Lists of payments, their totals and their files: of one merchant, and of all for the platform's people.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createRateLimiter, type RateLimiter } from '../../core/access/rate-limit.ts';
import {
  exportPayments,
  type ExportedPage,
  type ExportOrder,
} from '../../core/payments/read/export-payments.ts';
import {
  findPayments,
  phoneNumbersOf,
  recordNumberSearch,
  TOTAL_COUNT_MAX,
  totalPayments,
  type FindOrder,
  type PaymentPage,
} from '../../core/payments/read/find-payments.ts';
import { hidePersonal } from '../../core/payments/read/read-timeline.ts';
import { canonicalIdentifier, isUuid } from '../../domain/identifier.ts';
import { UTC } from '../../domain/time-zone.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { PaymentCursor } from '../../store/payments/payment-finding.ts';
import { readPaymentQuery } from '../../wire/console/merchant/payment-query.ts';
import { isCursorPart } from '../../wire/console/page.ts';
import { renderCutLine, renderPaymentHeader, renderPaymentLine } from '../../wire/console/payment-csv.ts';
import { paymentListCalls } from '../../wire/console/payment-list.ts';
import { show } from '../../wire/console/show.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import { PAYMENTS_URL, renderSummary } from './merchant/payments.ts';
import {
  consoleRoutes,
  permissionsAt,
  permissionsAtHost,
  requireConfirmation,
  requireMerchant,
  type ConsoleParts,
  type SignedInUser,
} from './route.ts';
import { teamName } from './sign-in/me.ts';

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;
const READ_ALL = { for: 'HOST', permission: 'host:read' } as const;

/** More than a person types. Somebody who tries all numbers behind a mask needs thousands. */
const NUMBER_SEARCHES = { perSecond: 0.5, burst: 30 };
/** A file takes as much as hundreds of pages. */
const EXPORTS = { perSecond: 1 / 30, burst: 5 };
/** A spreadsheet opens it, and the person who asks waits some seconds. */
const EXPORT_ROWS_MAX = 50_000;

export function registerPaymentLists(app: FastifyInstance, parts: ConsoleParts): void {
  const { wallClock } = parts.engine;
  const context: ListContext = {
    ...parts,
    numberSearches: createRateLimiter(wallClock, NUMBER_SEARCHES),
    exports: createRateLimiter(wallClock, EXPORTS),
  };
  registerOfMerchant(app, context);
  registerOfAll(app, context);
}

type ListContext = ConsoleParts & { readonly numberSearches: RateLimiter; readonly exports: RateLimiter };

function registerOfMerchant(app: FastifyInstance, context: ListContext): void {
  const route = consoleRoutes(app, context, 'payments');
  route('GET', PAYMENTS_URL, READ, paymentListCalls.listPayments, {
    summary:
      "A merchant's payments, the newest first: found by anything that names one, narrowed by what they are",
    handle: async ({ path, query, user }) => {
      const order = await orderOf(context, user, { query, merchantId: path.merchantId });
      const { payments, next } = await findPayments(context.engine, { ...order, ...pageOf(query) });
      return {
        payments: payments.map((payment) => renderSummary(hidePersonal(payment))),
        next: nextOf(next),
      };
    },
  });
  route('GET', `${PAYMENTS_URL}/totals`, READ, paymentListCalls.totalPayments, {
    summary: 'How many payments a filter finds, and their sums by kind and currency',
    handle: async ({ path, query, user }) =>
      renderTotals(context, await orderOf(context, user, { query, merchantId: path.merchantId })),
  });
  route('POST', `${PAYMENTS_URL}/export`, READ, paymentListCalls.exportPayments, {
    summary: 'The payments that a filter finds, as comma-separated values; who asks is recorded',
    handle: async ({ path, body: { isRevealed, ...query }, user }) =>
      startExport(context, user, { query, merchantId: path.merchantId, isRevealed }, false),
  });
}

function registerOfAll(app: FastifyInstance, context: ListContext): void {
  const route = consoleRoutes(app, context, 'host-payments');
  const url = '/host/payments';
  route('GET', url, READ_ALL, paymentListCalls.listAllPayments, {
    summary: 'The payments of all merchants, the newest first: found and narrowed like those of one',
    handle: async ({ query: { merchantId, ...query }, user }) => {
      const order = await orderOf(context, user, { query, merchantId: merchantId ?? null });
      const { payments, next } = await findPayments(context.engine, { ...order, ...pageOf(query) });
      const owned = payments.map(async (payment) => ({
        ...renderSummary(hidePersonal(payment)),
        merchantId: payment.merchantId,
        merchant: await teamName(context, payment.merchantId),
      }));
      return { payments: await Promise.all(owned), next: nextOf(next) };
    },
  });
  route('GET', `${url}/totals`, READ_ALL, paymentListCalls.totalAllPayments, {
    summary: 'How many payments of all merchants a filter finds, and their sums by kind and currency',
    handle: async ({ query: { merchantId, ...query }, user }) =>
      renderTotals(context, await orderOf(context, user, { query, merchantId: merchantId ?? null })),
  });
  route('POST', `${url}/export`, READ_ALL, paymentListCalls.exportAllPayments, {
    summary:
      'The payments of all merchants that a filter finds, as comma-separated values; who asks is recorded',
    handle: async ({ body: { isRevealed, merchantId, ...query }, user }) =>
      startExport(context, user, { query, merchantId: merchantId ?? null, isRevealed }, true),
  });
}

type Asked = {
  readonly query: Parameters<typeof readPaymentQuery>[0];
  /** Null for all merchants. */
  readonly merchantId: string | null;
};

/** What is to be found, as this person may find it. A search by phone number is recorded. */
async function orderOf(
  context: ListContext,
  user: SignedInUser,
  asked: Asked,
): Promise<Omit<FindOrder, 'after' | 'countMax'>> {
  const { engine, numberSearches } = context;
  const { search, searchIn, to, ...filter } = readPaymentQuery(asked.query);
  const merchantId = asked.merchantId === null ? null : canonicalIdentifier(asked.merchantId);
  if (merchantId === null && (filter.amountMin !== null || filter.amountMax !== null))
    throw failureBecause('INVALID_INPUT', 'AMOUNT_NEEDS_MERCHANT');
  const mayReveal = mayRevealAt(user, merchantId);
  if (mayReveal && searchIn === 'EVERYTHING' && phoneNumbersOf(search.trim()).length > 0) {
    if (numberSearches.waitMsOf(user.personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
    if (merchantId !== null) await requireMerchant(context, merchantId);
    await recordNumberSearch(engine, { by: user.by, merchantId });
  }
  return { filter: { ...filter, merchantId }, search, searchIn, mayReveal, to };
}

function mayRevealAt(user: SignedInUser, merchantId: string | null): boolean {
  const permissions = merchantId === null ? permissionsAtHost(user) : permissionsAt(user, merchantId);
  return permissions.includes('payments:reveal');
}

const COUNT_USUAL = '50';

function pageOf(query: { readonly cursor?: string | undefined; readonly limit?: string | undefined }) {
  return { after: placeOf(query.cursor), countMax: Number(query.limit ?? COUNT_USUAL) };
}

function placeOf(cursor: string | undefined): PaymentCursor | null {
  const [at, paymentNo] = readCursor(cursor, 2);
  if (at === undefined || paymentNo === undefined) return null;
  if (!isCursorPart('time', at) || !isUuid(paymentNo))
    throw failureBecause('INVALID_INPUT', 'CURSOR_INVALID');
  return { createdAt: new Date(at), paymentNo };
}

function nextOf(next: PaymentPage['next']): string | null {
  return next === null ? null : cursorOf([next.createdAt.toISOString(), next.paymentNo]);
}

async function renderTotals({ engine }: ListContext, order: Omit<FindOrder, 'after' | 'countMax'>) {
  const totals = await totalPayments(engine, order);
  return {
    countMax: TOTAL_COUNT_MAX,
    totals:
      totals?.map((one) => ({
        ...show(one, 'kind', 'currency', 'count', 'amount', 'completedCount', 'completedAmount'),
        ...show(one, 'completedFees'),
      })) ?? null,
  };
}

/** Numbers and names of thousands of people in one file: the password must have been confirmed. */
async function startExport(
  context: ListContext,
  user: SignedInUser,
  { isRevealed, ...asked }: Asked & Pick<ExportOrder, 'isRevealed'>,
  isOwned: boolean,
): Promise<Readable> {
  if (isRevealed) {
    if (!mayRevealAt(user, asked.merchantId)) throw new ConsoleFailure('NOT_PERMITTED');
    await requireConfirmation(context, user);
  }
  // What is recorded names the merchant, so there must be one.
  const named = asked.merchantId === null ? null : await requireMerchant(context, asked.merchantId);
  const order = await orderOf(context, user, asked);
  if (context.exports.waitMsOf(user.personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
  const bounded = { ...order, by: user.by, isRevealed, rowsMax: EXPORT_ROWS_MAX };
  const pages = await exportPayments(context.engine, bounded);
  return Readable.from(linesOf(context, pages, isOwned ? null : named));
}

async function* linesOf(
  context: ListContext,
  pages: AsyncIterable<ExportedPage>,
  /** Null in a file of the platform, which says whose each payment is, in UTC. */
  merchant: Merchant | null,
): AsyncGenerator<string> {
  const isOwned = merchant === null;
  yield renderPaymentHeader({ isOwned });
  for await (const { payments, isCut } of pages) {
    const lines = payments.map(async (payment) => {
      const { merchantId } = payment;
      const owner = isOwned ? { merchantId, merchant: await teamName(context, merchantId) } : null;
      return renderPaymentLine(payment, owner, merchant?.timeZone ?? UTC);
    });
    yield (await Promise.all(lines)).join('');
    if (isCut) yield renderCutLine(EXPORT_ROWS_MAX);
  }
}
