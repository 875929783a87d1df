// Deposits, payouts, refunds and remittances of API v2: how each is started, and what can be asked of it then.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import * as deposit from '../../wire/v2/payments/deposit.ts';
import {
  depositListQuerySchema,
  depositLookupSchema,
  depositPageSchema,
  renderDeposit,
} from '../../wire/v2/payments/deposit-record.ts';
import { outgoingListQuerySchema } from '../../wire/v2/payments/outgoing.ts';
import * as payout from '../../wire/v2/payments/payout.ts';
import { payoutLookupSchema, payoutPageSchema, renderPayout } from '../../wire/v2/payments/payout-record.ts';
import * as refund from '../../wire/v2/payments/refund.ts';
import { refundLookupSchema, refundPageSchema, renderRefund } from '../../wire/v2/payments/refund-record.ts';
import * as remittance from '../../wire/v2/payments/remittance.ts';
import {
  remittanceLookupSchema,
  remittancePageSchema,
  renderRemittance,
} from '../../wire/v2/payments/remittance-record.ts';
import type { Initiator } from '../initiator.ts';
import {
  readAs,
  registerBulkStart,
  registerStart,
  type StartedKind,
  type StartingApi,
} from '../payment-start.ts';
import { authTypeOf, collectionInitiationOf, failureResponses, initiationOf, orderOf } from './initiation.ts';
import { registerList } from './payment-lists.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const isProvider = (code: string) => findProvider(code) !== null;

const ACKNOWLEDGED =
  'The answer is an acknowledgement; the outcome comes by callback, or check the status. The ' +
  'identifier makes requests idempotent: one that was accepted is never processed again.';

const heldUntil = (noun: string) =>
  `The amount and its fee are reserved in your wallet, and released if the ${noun} fails.`;

export function registerPayments(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  const api: StartingApi = {
    engine,
    initiator,
    prefix: '/v2',
    refusal: 'failure',
    refusals: failureResponses,
  };
  for (const resource of [depositsOf(engine), PAYOUTS, REFUNDS, remittancesOf(engine)]) {
    const { kind } = resource;
    registerStart(app, api, resource);
    if (kind === 'PAYOUT' || kind === 'REMITTANCE') registerBulkStart(app, api, resource);
    registerList(app, engine, resource);
    registerLookup(app, engine, resource);
    registerResend(app, engine, resource);
    if (kind !== 'DEPOSIT') registerCancel(app, engine, resource);
  }
}

function depositsOf({ environment }: Pick<Engine, 'environment'>): PaymentResource & StartedKind {
  const surroundings = { authTypeOf, httpUrlsAllowed: environment === 'sandbox' };
  return {
    kind: 'DEPOSIT',
    idSchema: deposit.depositIdSchema,
    lookupSchema: depositLookupSchema,
    listQuerySchema: depositListQuerySchema,
    pageSchema: depositPageSchema,
    renderRecord: (payment) => renderDeposit(payment, authTypeOf(payment.provider)),
    description: `Asks a payer for money. ${ACKNOWLEDGED}`,
    requestSchema: deposit.depositRequestSchema,
    initiationSchema: deposit.depositInitiationSchema,
    read: (merchant, body) =>
      readAs(deposit.parseDepositRequest(body, surroundings), (request) => ({
        order: { ...orderOf(merchant, request), kind: 'DEPOSIT' },
        render: (answer) =>
          deposit.renderDepositInitiation({
            ...collectionInitiationOf(request.provider, answer),
            depositId: request.writtenId,
          }),
      })),
  };
}

const PAYOUTS: PaymentResource & StartedKind = {
  kind: 'PAYOUT',
  idSchema: payout.payoutIdSchema,
  lookupSchema: payoutLookupSchema,
  listQuerySchema: outgoingListQuerySchema,
  pageSchema: payoutPageSchema,
  renderRecord: renderPayout,
  description: `Sends money to a mobile wallet. ${heldUntil('payout')} ${ACKNOWLEDGED}`,
  requestSchema: payout.payoutRequestSchema,
  initiationSchema: payout.payoutInitiationSchema,
  read: (merchant, body) =>
    readAs(payout.parsePayoutRequest(body, { isProvider }), (request) => ({
      order: { ...orderOf(merchant, request), kind: 'PAYOUT' },
      render: (answer) => payout.renderPayoutInitiation(request.writtenId, initiationOf(answer)),
    })),
};

const REFUNDS: PaymentResource & StartedKind = {
  kind: 'REFUND',
  idSchema: refund.refundIdSchema,
  lookupSchema: refundLookupSchema,
  listQuerySchema: outgoingListQuerySchema,
  pageSchema: refundPageSchema,
  renderRecord: renderRefund,
  description:
    'Refunds a COMPLETED deposit to its payer, in full or in part; one refund of a deposit at a ' +
    `time. ${heldUntil('refund')} ${ACKNOWLEDGED}`,
  requestSchema: refund.refundRequestSchema,
  initiationSchema: refund.refundInitiationSchema,
  read: (merchant, body) =>
    readAs(refund.parseRefundRequest(body), (request) => ({
      order: { ...orderOf(merchant, request), kind: 'REFUND' },
      render: (answer) => refund.renderRefundInitiation(request.writtenId, initiationOf(answer)),
    })),
};

function remittancesOf({ clock }: Pick<Engine, 'clock'>): PaymentResource & StartedKind {
  return {
    kind: 'REMITTANCE',
    idSchema: remittance.remittanceIdSchema,
    lookupSchema: remittanceLookupSchema,
    listQuerySchema: outgoingListQuerySchema,
    pageSchema: remittancePageSchema,
    renderRecord: renderRemittance,
    description:
      "Sends another person's money to a mobile wallet, with details of sender and recipient. " +
      `${heldUntil('remittance')} ${ACKNOWLEDGED}`,
    requestSchema: remittance.remittanceRequestSchema,
    initiationSchema: remittance.remittanceInitiationSchema,
    read: (merchant, body) =>
      readAs(remittance.parseRemittanceRequest(body, { isProvider, now: clock.now() }), (request) => ({
        order: { ...orderOf(merchant, request), kind: 'REMITTANCE' },
        render: (answer) => remittance.renderRemittanceInitiation(request.writtenId, initiationOf(answer)),
      })),
  };
}
