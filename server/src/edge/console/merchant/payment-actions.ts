// What a merchant's people do with payments: refund, cancel, resend callbacks.
import type { FastifyInstance } from 'fastify';
import { cancelManually, refundManually, resendManually } from '../../../core/payments/act/act-on-payment.ts';
import { replay } from '../../../core/merchants/administer-callbacks.ts';
import type { ActionAnswer } from '../../../core/payments/act/cancel.ts';
import type { InitiationAnswer } from '../../../core/payments/accept/initiate.ts';
import type { FailureReason } from '../../../domain/failure.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAmount } from '../../../domain/money.ts';
import { isReasonCode, type ConsoleReasonCode } from '../../../wire/console/failure.ts';
import { paymentCalls } from '../../../wire/console/merchant/payment.ts';
import { done, momentOf } from '../../../wire/console/shape.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { keyOf, PAYMENT_URL, PAYMENTS_URL } from './payments.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const RESEND = { for: 'MERCHANT', permission: 'callbacks:resend' } as const;

/** A month: more at once is more than anybody can look through, and than one statement should make. */
const REPLAY_DAYS_MAX = 31;
const DAY_MS = 24 * 60 * 60_000;

export function registerPaymentActs(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payments');
  const { engine } = parts;
  route(
    'POST',
    `${PAYMENTS_URL}/DEPOSIT/:paymentId/refund`,
    { for: 'MERCHANT', permission: 'payments:refund', isDangerous: true },
    paymentCalls.refundPayment,
    {
      summary: 'Refund a deposit, fully or in part',
      handle: async ({ path, body, user: { by } }) => {
        const { merchantId, paymentId: depositId } = keyOf(path);
        const refundId = canonicalIdentifier(body.refundId);
        const amount = body.amount === null ? null : parseAmount(body.amount);
        const answer = await refundManually(engine, { by, merchantId, depositId, refundId, amount });
        requireStarted(answer);
        return { refundId };
      },
    },
  );
  route(
    'POST',
    `${PAYMENT_URL}/cancel`,
    { for: 'MERCHANT', permission: 'payments:cancel' },
    paymentCalls.cancelPayment,
    {
      summary: 'Cancel a payment that waits for its provider',
      handle: async ({ path, user: { by } }) =>
        answerAction(await cancelManually(engine, { ...keyOf(path), by }), 'CANNOT_CANCEL'),
    },
  );
  route('POST', `${PAYMENT_URL}/callback`, RESEND, paymentCalls.resendCallback, {
    summary: 'Resend the callback of a final payment',
    handle: async ({ path, user: { by } }) =>
      answerAction(await resendManually(engine, { ...keyOf(path), by }), 'CANNOT_RESEND'),
  });
  route('POST', '/merchants/:merchantId/callbacks/replay', RESEND, paymentCalls.replayCallbacks, {
    summary: 'Resend the callbacks of payments that became final in a period',
    handle: async ({ path, body, user: { by } }) => {
      const [from, to] = [momentOf(body.from), momentOf(body.to)];
      const spanMs = to.getTime() - from.getTime();
      if (spanMs <= 0) throw failureBecause('INVALID_INPUT', 'PERIOD_REVERSED');
      if (spanMs > REPLAY_DAYS_MAX * DAY_MS)
        throw failureBecause('INVALID_INPUT', 'PERIOD_TOO_LONG', { days: String(REPLAY_DAYS_MAX) });
      const merchantId = canonicalIdentifier(path.merchantId);
      return { count: await replay(engine, { ...body, by, merchantId, from, to }) };
    },
  });
}

function answerAction(answer: ActionAnswer, otherwise: ConsoleReasonCode) {
  if (answer.type === 'ACCEPTED') return done;
  refuse(answer.reason, otherwise);
}

function requireStarted(answer: InitiationAnswer): void {
  switch (answer.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return;
    case 'REJECTED':
    case 'NOT_ALLOWED':
      return refuse(answer.reason, 'CANNOT_REFUND');
    case 'UNKNOWN':
      throw failureBecause('CONFLICT', 'OUTCOME_UNKNOWN');
  }
}

/** What there is no payment for is not found; all else does not fit what the payment is. */
function refuse({ failureCode, failureMessage }: FailureReason, otherwise: ConsoleReasonCode): never {
  if (failureCode === 'NOT_FOUND') throw new ConsoleFailure('NOT_FOUND');
  const code = isReasonCode(failureCode) ? failureCode : otherwise;
  throw failureBecause('CONFLICT', code, {}, failureMessage);
}
