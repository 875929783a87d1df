// What a merchant's people do with payments: give back, cancel, announce again.
import type { FastifyInstance } from 'fastify';
import { cancelManually, refundManually, resendManually } from '../../../core/payments/act/act-on-payment.ts';
import { replay } from '../../../core/merchants/administer-callbacks.ts';
import type { ActionAnswer } from '../../../core/payments/act/cancel.ts';
import type { InitiationAnswer } from '../../../core/payments/accept/initiate.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAmount } from '../../../domain/money.ts';
import { paymentCalls } from '../../../wire/console/merchant/payment.ts';
import { done, momentOf } from '../../../wire/console/shape.ts';
import { ConsoleFailure } from '../failure.ts';
import { keyOf, PAYMENT_URL, PAYMENTS_URL } from './payments.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const RESEND = { for: 'MERCHANT', permission: 'callbacks:resend' } as const;

/** A month: more at once is more than anybody can look through, and than one statement should make. */
const REPLAY_SPAN_MS = 31 * 24 * 60 * 60_000;

export function registerPaymentActs(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payments');
  const { engine } = parts;
  route(
    'POST',
    `${PAYMENTS_URL}/DEPOSIT/:paymentId/refund`,
    { for: 'MERCHANT', permission: 'payments:refund', isDangerous: true },
    paymentCalls.refundPayment,
    {
      summary: 'Give a deposit back, wholly or in part',
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
        answerAction(await cancelManually(engine, { ...keyOf(path), by })),
    },
  );
  route('POST', `${PAYMENT_URL}/callback`, RESEND, paymentCalls.resendCallback, {
    summary: 'Announce the end of a payment once more',
    handle: async ({ path, user: { by } }) =>
      answerAction(await resendManually(engine, { ...keyOf(path), by })),
  });
  route('POST', '/merchants/:merchantId/callbacks/replay', RESEND, paymentCalls.replayCallbacks, {
    summary: 'Announce again what ended in a span of time',
    handle: async ({ path, body, user: { by } }) => {
      const [from, to] = [momentOf(body.from), momentOf(body.to)];
      const spanMs = to.getTime() - from.getTime();
      if (spanMs <= 0) throw new ConsoleFailure('INVALID_INPUT', 'The end must be after the beginning.');
      if (spanMs > REPLAY_SPAN_MS) throw new ConsoleFailure('INVALID_INPUT', 'At most 31 days at once.');
      const merchantId = canonicalIdentifier(path.merchantId);
      return { count: await replay(engine, { ...body, by, merchantId, from, to }) };
    },
  });
}

function answerAction(answer: ActionAnswer) {
  if (answer.type === 'ACCEPTED') return done;
  refuse(answer.reason);
}

function requireStarted(answer: InitiationAnswer): void {
  switch (answer.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return;
    case 'REJECTED':
    case 'NOT_ALLOWED':
      return refuse(answer.reason);
    case 'UNKNOWN':
      throw new ConsoleFailure('CONFLICT', 'It is not known whether this was done. Look again in a minute.');
  }
}

/** What there is no payment for is not found; all else does not fit what the payment is. */
function refuse(reason: { readonly failureCode: string; readonly failureMessage: string }): never {
  const code = reason.failureCode === 'NOT_FOUND' ? 'NOT_FOUND' : 'CONFLICT';
  throw new ConsoleFailure(code, reason.failureMessage);
}
