// A merchant's payments: found, and looked at one by one.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../../core/engine.ts';
import {
  findPayments,
  phoneNumbersOf,
  recordNumberSearch,
} from '../../../core/payments/read/find-payments.ts';
import { createRateLimiter } from '../../../core/access/rate-limit.ts';
import type { PaymentCursor } from '../../../store/payments/payment-finding.ts';
import {
  hidePersonal,
  readStory,
  revealStory,
  type Audience,
  type PaymentStory,
} from '../../../core/payments/read/read-timeline.ts';
import { listProviders } from '../../../domain/operators/catalogue.ts';
import { canonicalIdentifier, isUuid } from '../../../domain/identifier.ts';
import { renderAmount } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { isHostRole } from '../../../domain/merchants/roles.ts';
import type { OpenedCallback } from '../../../store/callbacks/callback-log.ts';
import type { EventRecord } from '../../../store/payments/payment-events.ts';
import type { LoggedTransfer } from '../../../store/payments/payment-timeline.ts';
import { paymentCalls } from '../../../wire/console/merchant/payment.ts';
import { isCursorPart } from '../../../wire/console/page.ts';
import { readPaymentQuery } from '../../../wire/console/merchant/payment-query.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoutes, permissionsAt, type ConsoleParts, type SignedInUser } from '../route.ts';

export const PAYMENTS_URL = '/merchants/:merchantId/payments';
export const PAYMENT_URL = `${PAYMENTS_URL}/:kind/:paymentId`;

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;

/** More than a person types. Somebody who tries all numbers behind a mask needs thousands. */
const NUMBER_SEARCHES = { perSecond: 0.5, burst: 30 };

export function registerPayments(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payments');
  const { engine } = parts;
  const numberSearches = createRateLimiter(engine.wallClock, NUMBER_SEARCHES);
  route('GET', PAYMENTS_URL, READ, paymentCalls.listPayments, {
    summary:
      "A merchant's payments, the newest first: found by anything that names one, narrowed by what they are",
    handle: async ({ path, query, user }) => {
      const { search, to, countMax, ...filter } = readPaymentQuery(query);
      const merchantId = canonicalIdentifier(path.merchantId);
      const after = placeOf(query.cursor);
      const mayReveal = permissionsAt(user, merchantId).includes('payments:reveal');
      if (mayReveal && phoneNumbersOf(search.trim()).length > 0) {
        if (numberSearches.waitMsOf(user.personId) > 0) throw new ConsoleFailure('TOO_MANY_TRIES');
        await recordNumberSearch(engine, { by: user.by, merchantId });
      }
      const order = { filter: { ...filter, merchantId }, search, mayReveal, to, after, countMax };
      const { payments, next } = await findPayments(engine, order);
      return {
        payments: payments.map((payment) => renderSummary(hidePersonal(payment))),
        next: next === null ? null : cursorOf([next.createdAt.toISOString(), next.paymentId]),
      };
    },
  });
  route('GET', '/merchants/:merchantId/providers', READ, paymentCalls.listUsedProviders, {
    summary: 'The providers that are active for a merchant',
    handle: async ({ path }) => ({ providers: await listUsed(engine, path.merchantId) }),
  });
  route('GET', PAYMENT_URL, READ, paymentCalls.readPayment, {
    summary: 'One payment with all that happened to it; personal data is hidden',
    handle: async ({ path, user }) => renderStory(await readStory(engine, keyOf(path), audienceOf(user))),
  });
  route(
    'POST',
    `${PAYMENT_URL}/reveal`,
    { for: 'MERCHANT', permission: 'payments:reveal' },
    paymentCalls.revealPayment,
    {
      summary: 'One payment with personal data; who asks is written down',
      handle: async ({ path, user }) =>
        renderStory(await revealStory(engine, { ...keyOf(path), by: user.by }, audienceOf(user))),
    },
  );
}

function audienceOf({ memberships }: SignedInUser): Audience {
  return memberships.some(({ role }) => isHostRole(role)) ? 'PLATFORM' : 'MERCHANT';
}

async function listUsed({ directory }: Engine, merchantId: string) {
  const merchant = await directory.merchant(merchantId);
  const active = new Set([...(merchant?.activeProviders ?? [])].map((name) => name.split(' ')[0]));
  return listProviders()
    .filter(({ code }) => active.has(code))
    .map(({ code, displayName, country }) => ({ provider: code, name: displayName, country }));
}

function placeOf(cursor: string | undefined): PaymentCursor | null {
  const [at, paymentId] = readCursor(cursor, 2);
  if (at === undefined || paymentId === undefined) return null;
  if (!isCursorPart('time', at) || !isUuid(paymentId)) throw new ConsoleFailure('INVALID_INPUT');
  return { createdAt: new Date(at), paymentId };
}

/** Identifiers are compared without case. */
export function keyOf<Key extends { readonly merchantId: string; readonly paymentId: string }>(
  path: Key,
): Key {
  return {
    ...path,
    merchantId: canonicalIdentifier(path.merchantId),
    paymentId: canonicalIdentifier(path.paymentId),
  };
}

function renderSummary(payment: Payment) {
  const { kind, writtenId, state, currency, country, provider, details } = payment;
  return {
    kind,
    paymentId: writtenId,
    state,
    amount: payment.amountText,
    fee: renderAmount(payment.fee),
    currency,
    country,
    provider,
    phoneNumber: details.phoneNumber,
    clientReferenceId: details.clientReferenceId ?? null,
    providerTransactionId: payment.providerTransactionId ?? null,
    failureCode: payment.failureCode ?? null,
    createdAt: payment.createdAt.toISOString(),
    finalAt: time(payment.finalAt),
  };
}

function renderStory(story: PaymentStory | null) {
  if (story === null) throw new ConsoleFailure('NOT_FOUND');
  const { payment, attempt, support, isRevealed, isCancellable } = story;
  const { customerMessage, metadata = [], recipientDetails, sender } = payment.details;
  return {
    ...renderSummary(payment),
    isRevealed,
    customerMessage,
    metadata: metadata.map(({ name, value, isPii }) => ({ name, value, isPersonal: isPii })),
    recipient: recipientDetails ?? null,
    sender: flatten({ ...sender?.senderDetails, ...sender?.transactionDetails }),
    depositId: payment.depositId ?? null,
    splitPaymentId: payment.splitPaymentId ?? null,
    checkoutId: payment.checkoutId ?? null,
    reference: attempt?.reference ?? null,
    providerReference: attempt?.providerReference ?? null,
    nextActionAt: time(payment.nextActionAt),
    support,
    refundable: renderAmount(story.refundable),
    isCancellable,
    isResendable: story.isFinal,
    events: story.events.map(renderEvent),
    traffic: story.traffic.map(({ at, ...exchange }) => ({ at: at.toISOString(), ...exchange })),
    transfers: story.transfers.map(renderTransfer),
    callbacks: story.callbacks.map(renderCallback),
    cases: story.cases.map(({ caseId, evidence, openedAt, resolvedAt }) => ({
      caseId,
      evidence,
      openedAt: openedAt.toISOString(),
      resolvedAt: time(resolvedAt),
    })),
    related: story.related.map((one) => ({
      ...one,
      amount: renderAmount(one.amount),
      createdAt: one.createdAt.toISOString(),
    })),
  };
}

function renderEvent({ eventNo, occurredAt, event, fromState, toState, detail, evidence }: EventRecord) {
  return {
    eventNo,
    at: occurredAt.toISOString(),
    event,
    fromState,
    toState,
    detail: detail ?? null,
    evidence: evidence ?? null,
  };
}

function renderTransfer({ debit, credit, ...transfer }: LoggedTransfer) {
  return {
    legNo: transfer.legNo,
    template: transfer.template,
    debit: { type: debit.type, provider: debit.provider },
    credit: { type: credit.type, provider: credit.provider },
    amount: renderAmount(transfer.amount),
    currency: debit.currency,
    state: transfer.state,
    createdAt: transfer.createdAt.toISOString(),
    settledAt: time(transfer.settledAt),
  };
}

function renderCallback({
  callbackId,
  announcedState,
  status,
  createdAt,
  dueAt,
  body,
  attempts,
}: OpenedCallback) {
  return {
    callbackId,
    announcedState,
    status,
    createdAt: createdAt.toISOString(),
    // When it is tried next; nothing follows what is over.
    dueAt: status === 'PENDING' ? dueAt.toISOString() : null,
    body,
    attempts: attempts.map(({ startedAt, ...attempt }) => ({
      ...attempt,
      startedAt: startedAt.toISOString(),
    })),
  };
}

/** Blocks within blocks, as "address.city". */
function flatten(block: Readonly<Record<string, unknown>>, prefix = ''): { name: string; value: string }[] {
  return Object.entries(block).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [{ name: prefix + name, value }]
      : flatten(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`),
  );
}

function time(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null;
}
