// Starting a refund in API v2: the request and its answer. Recipient and provider are those of the refunded deposit.
import { Type, type Static } from 'typebox';
import type { RejectionCode } from '../../../domain/failure.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import type { PaymentDetails } from '../../../domain/payments/payment.ts';
import { findFault, invalidFault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountTextSchema, currencyCodeSchema } from '../amount.ts';
import { namesOf } from '../action.ts';
import { clientReferenceIdSchema, identifierSchema, paymentIdSchema } from '../identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import { findRepeatedName, listMetadataFaults, metadataRequestSchema, parseMetadata } from '../metadata.ts';

const REJECTION_CODES: readonly RejectionCode[] = [
  'NOT_FOUND',
  'INVALID_STATE',
  'INVALID_CURRENCY',
  'REFUND_IN_PROGRESS',
  'DEPOSIT_ALREADY_REFUNDED',
  'AMOUNT_TOO_LARGE',
  'INVALID_PROVIDER',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
  'WALLET_OUT_OF_FUNDS',
];

export const refundIdSchema = paymentIdSchema('refund');
export const refundedDepositIdSchema = identifierSchema('The deposit to refund.');
const REFUNDED = namesOf('depositId', refundedDepositIdSchema);

/** Errors are reported in the order of these fields. */
export const refundRequestSchema = Type.Object(
  {
    refundId: refundIdSchema,
    depositId: refundedDepositIdSchema,
    amount: Type.Optional(
      amountTextSchema('The amount to refund, as text. Default: all that remains of the deposit.'),
    ),
    currency: Type.Optional(
      currencyCodeSchema('The currency, an ISO 4217 code in upper case. It can only be that of the deposit.'),
    ),
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'RefundRequest',
    description: 'Gives a deposit back to its payer, wholly or in part.',
  },
);

export const refundInitiationSchema = Type.Object(
  { refundId: refundIdSchema, ...initiationFields('refund', REJECTION_CODES, REFUNDED) },
  { title: 'RefundInitiation', description: INITIATION_NOTE },
);

/** A refund request. */
export type RefundRequest = {
  readonly writtenId: string;
  /** As written. */
  readonly depositId: string;
  readonly amount?: Amount;
  readonly amountText?: string;
  readonly currency?: string;
  readonly details: Pick<PaymentDetails, 'clientReferenceId' | 'metadata'>;
};

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseRefundRequest(body: unknown): Parsed<RefundRequest> {
  const fault = findFault(refundRequestSchema, body, listMetadataFaults(valueAt(body, 'metadata')));
  if (fault !== null) return { type: 'FAULT', fault };
  const { refundId, depositId, amount, currency, clientReferenceId, metadata } = body as Static<
    typeof refundRequestSchema
  >;
  const repeated = findRepeatedName(metadata);
  if (repeated !== null) return { type: 'FAULT', fault: repeated };
  const asked = amount === undefined ? {} : readAmount(amount);
  if (asked === null) return { type: 'FAULT', fault: invalidFault('amount', 'it is not an amount') };
  const details = {
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
  };
  const request = { writtenId: refundId, depositId, ...asked, ...(currency !== undefined && { currency }) };
  return { type: 'PARSED', request: { ...request, details } };
}

/** `refundId` is the identifier as written in this request. */
export function renderRefundInitiation(
  refundId: string,
  initiation: Initiation,
): Static<typeof refundInitiationSchema> {
  return { refundId, ...renderInitiation(initiation) };
}

function readAmount(amountText: string): Pick<RefundRequest, 'amount' | 'amountText'> | null {
  const amount = parseAmount(amountText);
  return amount === null ? null : { amount, amountText };
}
