// Deposits, payouts and refunds of API v1: how each is started, and what can be asked of it then.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import * as deposit from '../../wire/v1/payments/deposit.ts';
import { depositLookupSchema, renderDeposit } from '../../wire/v1/payments/deposit-record.ts';
import * as payout from '../../wire/v1/payments/payout.ts';
import { payoutLookupSchema, renderPayout } from '../../wire/v1/payments/payout-record.ts';
import * as refund from '../../wire/v1/payments/refund.ts';
import { refundLookupSchema, renderRefund } from '../../wire/v1/payments/refund-record.ts';
import { depositIdSchema } from '../../wire/v2/payments/deposit.ts';
import { payoutIdSchema } from '../../wire/v2/payments/payout.ts';
import { refundIdSchema } from '../../wire/v2/payments/refund.ts';
import type { Initiator } from '../initiator.ts';
import {
  readAs,
  registerBulkStart,
  registerStart,
  type StartedKind,
  type StartingApi,
} from '../payment-start.ts';
import { authTypeOf } from '../v2/initiation.ts';
import { errorResponses, initiationOf, orderOf, payoutInitiationOf } from './initiation.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const ACKNOWLEDGED = 'The answer is an acknowledgement; the outcome comes by callback, or check the status.';
const REPEATABLE =
  'Repeating a request is safe: an identifier that was accepted before is never processed again.';

export function registerPayments(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  const api: StartingApi = { engine, initiator, prefix: '', refusal: 'error', refusals: errorResponses };
  for (const resource of [DEPOSITS, PAYOUTS, REFUNDS]) {
    registerStart(app, api, resource);
    if (resource.kind === 'PAYOUT') registerBulkStart(app, api, resource);
    registerLookup(app, engine, resource);
    registerResend(app, engine, resource);
    if (resource.kind === 'PAYOUT') registerCancel(app, engine, resource);
  }
}

const DEPOSITS: PaymentResource & StartedKind = {
  kind: 'DEPOSIT',
  idSchema: depositIdSchema,
  lookupSchema: depositLookupSchema,
  renderRecord: renderDeposit,
  description: `Asks a payer for money. ${ACKNOWLEDGED} ${REPEATABLE}`,
  requestSchema: deposit.depositRequestSchema,
  initiationSchema: deposit.depositInitiationSchema,
  read: (merchant, body) =>
    readAs(deposit.parseDepositRequest(body, { authTypeOf }), (request) => ({
      order: { ...orderOf(merchant, request), kind: 'DEPOSIT' },
      render: (answer) => deposit.renderDepositInitiation(request.writtenId, initiationOf(answer)),
    })),
};

const PAYOUTS: PaymentResource & StartedKind = {
  kind: 'PAYOUT',
  idSchema: payoutIdSchema,
  lookupSchema: payoutLookupSchema,
  renderRecord: renderPayout,
  description:
    'Sends money to a mobile wallet. The amount and its fee are held in your wallet from now on, and free again if ' +
    `the payout fails. ${ACKNOWLEDGED} ${REPEATABLE}`,
  requestSchema: payout.payoutRequestSchema,
  initiationSchema: payout.payoutInitiationSchema,
  read: (merchant, body) =>
    readAs(
      payout.parsePayoutRequest(body, { isProvider: (code) => findProvider(code) !== null }),
      (request) => ({
        order: { ...orderOf(merchant, request), kind: 'PAYOUT' },
        render: (answer) => payout.renderPayoutInitiation(request.writtenId, payoutInitiationOf(answer)),
      }),
    ),
};

const REFUNDS: PaymentResource & StartedKind = {
  kind: 'REFUND',
  idSchema: refundIdSchema,
  lookupSchema: refundLookupSchema,
  renderRecord: renderRefund,
  description:
    'Refunds a COMPLETED deposit to its payer, in full or in part; one refund of a deposit at a ' +
    `time. The deposit may have been made in either API version. ${ACKNOWLEDGED}`,
  requestSchema: refund.refundRequestSchema,
  initiationSchema: refund.refundInitiationSchema,
  read: (merchant, body) =>
    readAs(refund.parseRefundRequest(body), (request) => ({
      order: { ...orderOf(merchant, request), kind: 'REFUND' },
      render: (answer) => refund.renderRefundInitiation(request.writtenId, initiationOf(answer)),
    })),
};
