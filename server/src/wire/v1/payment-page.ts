// The payment page in API v1.
import { Type, type Static } from 'typebox';
import type { FailureReason } from '../../domain/failure.ts';
import { findFault, type Parsed } from '../fault.ts';
import { amountSchema } from '../v2/amount.ts';
import {
  createPageOrder,
  languageSchema,
  listCountryFaults,
  pageCountrySchema,
  pageDepositIdSchema,
  pageReasonSchema,
  paymentPageRequestSchema as currentRequest,
  type PaymentPageRequest,
} from '../v2/checkouts/payment-page.ts';
import { listReturnUrlFaults, type PageSurroundings } from '../v2/checkouts/return-url.ts';
import { statementDescriptionSchema } from './customer-message.ts';
import { rejectionReasonSchema, renderRejection } from './failure.ts';
import { metadataRequestSchema, parseMetadata } from './metadata.ts';
import { isFault } from './payments/payment-request.ts';

const REJECTION_CODES = [
  'DEPOSITS_NOT_ALLOWED',
  'INVALID_STATE',
  'INVALID_COUNTRY',
  'INVALID_PAYER_FORMAT',
  'INVALID_AMOUNT',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
];

/** Errors are reported in the order of these fields. */
export const paymentPageRequestSchema = Type.Object(
  {
    depositId: pageDepositIdSchema,
    returnUrl: currentRequest.properties.returnUrl,
    statementDescription: Type.Optional(statementDescriptionSchema),
    amount: Type.Optional(
      Type.String({
        ...amountSchema,
        description:
          'How much, fixed, in the currency of the country that pays. Without it, the customer enters the amount.',
      }),
    ),
    msisdn: currentRequest.properties.phoneNumber,
    language: Type.Optional(languageSchema),
    country: Type.Optional(pageCountrySchema),
    reason: Type.Optional(pageReasonSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'PaymentPageRequest',
    description: 'Opens a page where a customer pays. The customer chooses what you leave out.',
  },
);

export const rejectedPaymentPageSchema = Type.Object(
  {
    depositId: pageDepositIdSchema,
    status: Type.Literal('REJECTED'),
    rejectionReason: rejectionReasonSchema(REJECTION_CODES),
  },
  { title: 'RejectedPaymentPage', description: 'No page was opened.' },
);

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parsePaymentPageRequest(
  body: unknown,
  surroundings: PageSurroundings,
): Parsed<PaymentPageRequest> {
  const further = [...listReturnUrlFaults(body, surroundings), ...listCountryFaults(body, surroundings)];
  const fault = findFault(paymentPageRequestSchema, body, further);
  if (fault !== null) return { type: 'FAULT', fault };
  const { depositId, statementDescription, amount, msisdn, metadata, ...rest } = body as Static<
    typeof paymentPageRequestSchema
  >;
  const parsed = metadata === undefined ? undefined : parseMetadata(metadata);
  if (isFault(parsed)) return { type: 'FAULT', fault: parsed };
  const page = createPageOrder({
    ...rest,
    ...(amount !== undefined && { amount: { amountText: amount } }),
    ...(msisdn !== undefined && { phoneNumber: msisdn }),
    details: {
      ...(statementDescription !== undefined && { customerMessage: statementDescription }),
      ...(parsed !== undefined && { metadata: parsed }),
    },
  });
  return { type: 'PARSED', request: { writtenId: depositId, page } };
}

/** `depositId` is the identifier as written in this request. */
export function renderRejectedPaymentPage(depositId: string, reason: FailureReason) {
  return { depositId, status: 'REJECTED' as const, rejectionReason: renderRejection(reason, 'DEPOSIT') };
}
