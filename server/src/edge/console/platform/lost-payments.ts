// Payments that a restore lost and no merchant has sent again: two people decide whose their money is.
import type { FastifyInstance } from 'fastify';
import {
  describeObstacle,
  findDecisionRequest,
  requestLostPayment,
  type LostPaymentAnswer,
} from '../../../core/reconciliation/decide-lost-payment.ts';
import { listLatestDecisions } from '../../../store/recovery/lost-payment-decisions.ts';
import { listStanding } from '../../../store/recovery/unmatched-payments.ts';
import { lostPaymentCalls } from '../../../wire/console/platform/lost-payment.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const DECIDE = { for: 'HOST', permission: 'money:move', isDangerous: true } as const;

const url = '/host/lost-payments';
const ROWS_MAX = 100;

export function registerLostPayments(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-issues');
  const { engine } = parts;
  route('GET', url, READ, lostPaymentCalls.listLostPayments, {
    summary: 'Payments that a restore lost: those that nobody has sent again or decided, and decisions',
    handle: async () => {
      const { database } = engine.store;
      const standing = await listStanding(database, ROWS_MAX);
      const rows = [];
      for (const one of standing)
        rows.push({
          ...show(one, 'provider', 'reference', 'direction', 'amount', 'currency', 'occurredAt'),
          isStanding: one.isPosted,
          isRequested: (await findDecisionRequest(database, one)) !== null,
        });
      const decided = [];
      for (const one of await listLatestDecisions(database, ROWS_MAX)) {
        const { bearerMerchantId } = one;
        const bearer = bearerMerchantId === null ? null : await engine.directory.merchant(bearerMerchantId);
        decided.push({
          ...show(one, 'provider', 'reference', 'direction', 'amount', 'currency', 'occurredAt', 'bearer'),
          ...show(one, 'bearerMerchantId', 'cell', 'decidedAt', 'postedBackAt', 'merchantId'),
          bearerMerchant: bearer?.companyName ?? null,
        });
      }
      return { rows, decided };
    },
  });
  route('POST', url, DECIDE, lostPaymentCalls.decideLostPayment, {
    summary: 'Say whose the money of such a payment is; another person approves',
    handle: async ({ body: { merchantId = null, ...body }, user: { personId, by } }) => {
      if ((body.bearer === 'MERCHANT') !== (merchantId !== null))
        throw failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter: 'merchantId' });
      const answer = await requestLostPayment(engine, { ...body, merchantId, actor: { personId, by } });
      if (answer.type === 'REQUESTED') return { approvalId: answer.approvalId };
      throw failureOf(answer);
    },
  });
}

function failureOf(answer: Exclude<LostPaymentAnswer, { readonly type: 'REQUESTED' }>): ConsoleFailure {
  switch (answer.type) {
    case 'NOT_FOUND':
    case 'NO_SUCH_MERCHANT':
      return new ConsoleFailure('NOT_FOUND');
    case 'REQUESTED_BEFORE':
      return failureBecause('CONFLICT', 'LOST_PAYMENT_REQUESTED');
    case 'NO_SUCH_WALLET':
      return failureBecause('INVALID_INPUT', 'WALLET_UNUSED');
    case 'MERCHANT_AWAY':
      return failureBecause('CONFLICT', 'MERCHANT_MOVING');
    case 'NOT_INDEPENDENT':
      return failureBecause('CONFLICT', 'LOST_PAYMENT_NOT_INDEPENDENT');
    case 'SENT_AGAIN':
      return failureBecause('CONFLICT', 'LOST_PAYMENT_SENT_AGAIN');
    case 'RECOVERY_OPEN':
      return failureBecause('CONFLICT', 'RECOVERY_OPEN', {}, describeObstacle(answer));
    case 'ELSEWHERE': {
      const cell = answer.known?.cell ?? '';
      return failureBecause('CONFLICT', 'LOST_PAYMENT_ELSEWHERE', { cell }, describeObstacle(answer));
    }
    case 'CELL_SILENT':
      return failureBecause('CONFLICT', 'CELL_SILENT', { cell: answer.cell }, describeObstacle(answer));
  }
}
