// Starting a payout in API v1: the request and its answer.
import { Type, type Static } from 'typebox';
import { findFault, type Parsed } from '../../fault.ts';
import { INITIATION_NOTE } from '../../v2/initiation.ts';
import { payoutIdSchema } from '../../v2/payments/payout.ts';
import { initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import {
  furtherRequestFields,
  moneyRequestFields,
  partyRequestFields,
  readPaymentRequest,
  type PaymentRequest,
} from './payment-request.ts';
import { listCorrespondentFaults, type CorrespondentSurroundings } from '../toolkit/provider.ts';
import { listTimestampFaults } from '../timestamp.ts';

const REJECTION_CODES = [
  'PAYOUTS_NOT_ALLOWED',
  'INVALID_CORRESPONDENT',
  'INVALID_COUNTRY',
  'INVALID_RECIPIENT_FORMAT',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  'BALANCE_INSUFFICIENT',
];

/** Faults are reported in the order of these fields, which is the specification's; a deposit's differs. */
export const payoutRequestSchema = Type.Object(
  {
    payoutId: payoutIdSchema,
    amount: moneyRequestFields.amount,
    currency: moneyRequestFields.currency,
    correspondent: moneyRequestFields.correspondent,
    ...partyRequestFields('recipient', 'Who receives the money.'),
    customerTimestamp: furtherRequestFields.customerTimestamp,
    statementDescription: furtherRequestFields.statementDescription,
    country: moneyRequestFields.country,
    metadata: furtherRequestFields.metadata,
  },
  {
    additionalProperties: false,
    title: 'PayoutRequest',
    description: 'Sends money from your wallet to a mobile wallet.',
  },
);

export const payoutInitiationSchema = Type.Object(
  { payoutId: payoutIdSchema, ...initiationFields('payout', REJECTION_CODES, ['ENQUEUED']) },
  {
    title: 'PayoutInitiation',
    description: `${INITIATION_NOTE} ENQUEUED: accepted too; the provider cannot take it now, and it waits.`,
  },
);

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parsePayoutRequest(
  body: unknown,
  surroundings: CorrespondentSurroundings,
): Parsed<PaymentRequest> {
  const further = [...listCorrespondentFaults(body, surroundings), ...listTimestampFaults(body)];
  const fault = findFault(payoutRequestSchema, body, further);
  if (fault !== null) return { type: 'FAULT', fault };
  const { payoutId, recipient, ...rest } = body as Static<typeof payoutRequestSchema>;
  return readPaymentRequest({ ...rest, writtenId: payoutId, party: recipient });
}

/** `payoutId` is the identifier as written in this request. */
export function renderPayoutInitiation(payoutId: string, initiation: Initiation) {
  return { payoutId, ...renderInitiation(initiation, 'PAYOUT') };
}
