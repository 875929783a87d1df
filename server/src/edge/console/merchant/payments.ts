// A merchant's payments, one by one. Lists are in ../payment-lists.ts.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../../core/engine.ts';
import {
  readStory,
  revealStory,
  type Audience,
  type PaymentStory,
} from '../../../core/payments/read/read-timeline.ts';
import { listProviders } from '../../../domain/operators/catalogue.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { isHostRole } from '../../../domain/merchants/roles.ts';
import type { OpenedCallback } from '../../../store/callbacks/callback-log.ts';
import type { EventRecord } from '../../../store/payments/payment-events.ts';
import type { LoggedTransfer } from '../../../store/payments/payment-timeline.ts';
import { paymentCalls } from '../../../wire/console/merchant/payment.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoutes, type ConsoleParts, type SignedInUser } from '../route.ts';

export const PAYMENTS_URL = '/merchants/:merchantId/payments';
export const PAYMENT_URL = `${PAYMENTS_URL}/:kind/:paymentId`;

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;

export function registerPayments(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payments');
  const { engine } = parts;
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
      summary: 'One payment with personal data; who asks is recorded',
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

export function renderSummary(payment: Payment) {
  const { writtenId: paymentId, amountText: amount, details } = payment;
  return {
    ...show(payment, 'kind', 'state', 'fee', 'currency', 'country', 'provider', 'providerTransactionId'),
    ...show(payment, 'failureCode', 'createdAt', 'finalAt'),
    ...show(details, 'phoneNumber', 'clientReferenceId'),
    paymentId,
    amount,
  };
}

function renderStory(story: PaymentStory | null) {
  if (story === null) throw new ConsoleFailure('NOT_FOUND');
  const { payment, attempt, isFinal: isResendable } = story;
  const { customerMessage, metadata = [], recipientDetails, sender } = payment.details;
  return {
    ...renderSummary(payment),
    ...show(payment, 'depositId', 'splitPaymentId', 'checkoutId', 'nextActionAt'),
    ...show(story, 'isRevealed', 'refundable', 'isCancellable'),
    isResendable,
    customerMessage,
    metadata: metadata.map(({ name, value, isPii }) => ({ name, value, isPersonal: isPii })),
    recipient: recipientDetails ?? null,
    sender: flatten({ ...sender?.senderDetails, ...sender?.transactionDetails }),
    reference: attempt?.reference ?? null,
    providerReference: attempt?.providerReference ?? null,
    events: story.events.map(renderEvent),
    traffic: story.traffic.map((one) =>
      show(one, 'at', 'step', 'httpStatus', 'error', 'durationMs', 'request', 'answer'),
    ),
    transfers: story.transfers.map(renderTransfer),
    callbacks: story.callbacks.map(renderCallback),
    cases: story.cases.map((one) => show(one, 'caseId', 'evidence', 'openedAt', 'resolvedAt')),
    related: story.related.map((one) => show(one, 'kind', 'paymentId', 'state', 'amount', 'createdAt')),
  };
}

export function renderEvent(event: EventRecord) {
  return {
    ...show(event, 'eventNo', 'event', 'fromState', 'toState', 'detail', 'evidence'),
    at: showValue(event.occurredAt),
  };
}

function renderTransfer(transfer: LoggedTransfer) {
  const { debit, credit } = transfer;
  return {
    ...show(transfer, 'legNo', 'template', 'amount', 'state', 'createdAt', 'settledAt'),
    debit: show(debit, 'type', 'provider'),
    credit: show(credit, 'type', 'provider'),
    currency: debit.currency,
  };
}

function renderCallback(callback: OpenedCallback) {
  const { status, dueAt, attempts } = callback;
  return {
    ...show(callback, 'callbackId', 'announcedState', 'status', 'createdAt', 'body'),
    // When it is tried next; nothing follows what is over.
    dueAt: status === 'PENDING' ? showValue(dueAt) : null,
    attempts: attempts.map((one) =>
      show(one, 'attemptNo', 'startedAt', 'durationMs', 'httpStatus', 'errorCode', 'answer'),
    ),
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
