// Starting a refund in API v1: the request and its answer.
import { Type, type Static } from 'typebox';
import { parseAmount } from '../../../domain/money.ts';
import { findFault, invalidFault, type Parsed } from '../../fault.ts';
import { INITIATION_NOTE } from '../../v2/initiation.ts';
import {
  refundedDepositIdSchema,
  refundIdSchema,
  refundRequestSchema as currentSchema,
  type RefundRequest,
} from '../../v2/payments/refund.ts';
import { initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import { metadataRequestSchema, parseMetadata } from '../metadata.ts';
import { isFault } from './payment-request.ts';

const REJECTION_CODES = [
  'REFUNDS_NOT_ALLOWED',
  'DEPOSIT_NOT_FOUND',
  'DEPOSIT_NOT_COMPLETED',
  'IN_PROGRESS',
  'ALREADY_REFUNDED',
  'AMOUNT_TOO_LARGE',
  'INVALID_CORRESPONDENT',
  'INVALID_AMOUNT',
  'AMOUNT_TOO_SMALL',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  'BALANCE_INSUFFICIENT',
];

/** Errors are reported in the order of these fields. */
export const refundRequestSchema = Type.Object(
  {
    refundId: refundIdSchema,
    depositId: refundedDepositIdSchema,
    amount: currentSchema.properties.amount,
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'RefundRequest',
    description: 'Gives a deposit back to its payer, wholly or in part.',
  },
);

export const refundInitiationSchema = Type.Object(
  { refundId: refundIdSchema, ...initiationFields('refund', REJECTION_CODES) },
  { title: 'RefundInitiation', description: INITIATION_NOTE },
);

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseRefundRequest(body: unknown): Parsed<RefundRequest> {
  const fault = findFault(refundRequestSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  const { refundId, depositId, amount: amountText, ...rest } = body as Static<typeof refundRequestSchema>;
  const metadata = rest.metadata === undefined ? undefined : parseMetadata(rest.metadata);
  if (isFault(metadata)) return { type: 'FAULT', fault: metadata };
  const amount = amountText === undefined ? undefined : parseAmount(amountText);
  if (amount === null) return { type: 'FAULT', fault: invalidFault('amount', 'it is not an amount') };
  const request: RefundRequest = {
    writtenId: refundId,
    depositId,
    ...(amount !== undefined && amountText !== undefined && { amount, amountText }),
    details: metadata === undefined ? {} : { metadata },
  };
  return { type: 'PARSED', request };
}

/** `refundId` is the identifier as written in this request. */
export function renderRefundInitiation(refundId: string, initiation: Initiation) {
  return { refundId, ...renderInitiation(initiation, 'REFUND') };
}
