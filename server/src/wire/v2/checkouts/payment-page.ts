// The payment page of API v2: the request and its answer.
import { Type, type Static } from 'typebox';
import type { FailureReason, RejectionCode } from '../../../domain/failure.ts';
import type { Language, PageOrder, PageTerms } from '../../../domain/checkouts/page-terms.ts';
import { findFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { namesOf } from '../action.ts';
import { amountSchema, countryCodeSchema, currencySchema } from '../amount.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { failureReasonSchema } from '../failure.ts';
import { identifierSchema } from '../identifier.ts';
import { findRepeatedName, listMetadataFaults, metadataRequestSchema, parseMetadata } from '../metadata.ts';
import { partyFields } from '../party.ts';
import {
  listReturnUrlFaults,
  redirectUrlSchema,
  returnUrlSchema,
  unknownCountryFault,
  type PageSurroundings,
} from './return-url.ts';

const REJECTION_CODES: readonly RejectionCode[] = [
  'INVALID_STATE',
  'INVALID_COUNTRY',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
];

export const pageDepositIdSchema = identifierSchema(
  'The identifier of the deposit that begins when the customer presses Pay. You choose it.',
);

export const languageSchema = Type.Enum(['EN', 'FR'], {
  type: 'string',
  description: "The page's language until the customer chooses another. Without it, the browser says.",
});

export const pageReasonSchema = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'What the customer pays for, shown on the page.',
  examples: ['Two tickets to Kigali'],
});

export const pageCountrySchema = countryCodeSchema(
  'Only wallets of this country can pay. Without it, those of every country of your account.',
);

/** Errors are reported in the order of these fields. */
export const paymentPageRequestSchema = Type.Object(
  {
    depositId: pageDepositIdSchema,
    returnUrl: returnUrlSchema('`depositId`'),
    customerMessage: Type.Optional(customerMessageSchema),
    amountDetails: Type.Optional(
      Type.Object(
        { amount: amountSchema, currency: currencySchema },
        {
          additionalProperties: false,
          description: 'How much, fixed. Without it, the customer enters the amount.',
        },
      ),
    ),
    phoneNumber: Type.Optional(
      Type.String({
        ...partyFields.accountDetails.properties.phoneNumber,
        description: 'The wallet that pays, fixed. Without it, the customer enters the number.',
      }),
    ),
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

export const paymentPageSchema = Type.Object(
  { redirectUrl: redirectUrlSchema('https://gateway.example/pay/0001kT5vQm2ZrJ8wXc') },
  { title: 'PaymentPage', description: 'Send the customer there within 15 minutes.' },
);

export const rejectedPaymentPageSchema = Type.Object(
  {
    depositId: pageDepositIdSchema,
    status: Type.Literal('REJECTED'),
    failureReason: failureReasonSchema(REJECTION_CODES, namesOf('depositId', pageDepositIdSchema)),
  },
  { title: 'RejectedPaymentPage', description: 'No page was opened.' },
);

/** A payment page request. */
export type PaymentPageRequest = { readonly writtenId: string; readonly page: PageOrder };

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parsePaymentPageRequest(
  body: unknown,
  surroundings: PageSurroundings,
): Parsed<PaymentPageRequest> {
  const fault = findFault(paymentPageRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const request = body as Static<typeof paymentPageRequestSchema>;
  const repeated = findRepeatedName(request.metadata);
  if (repeated !== null) return { type: 'FAULT', fault: repeated };
  const { depositId: writtenId, customerMessage, metadata, amountDetails } = request;
  const page = createPageOrder({
    ...request,
    ...(amountDetails !== undefined && {
      amount: { currency: amountDetails.currency, amountText: amountDetails.amount },
    }),
    details: {
      ...(customerMessage !== undefined && { customerMessage }),
      ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
    },
  });
  return { type: 'PARSED', request: { writtenId, page } };
}

/** What both API versions request, each in its own format. */
export function createPageOrder(asked: {
  readonly returnUrl: string;
  readonly amount?: { readonly currency?: string; readonly amountText: string };
  readonly phoneNumber?: string;
  readonly language?: 'EN' | 'FR';
  readonly country?: string;
  readonly reason?: string;
  readonly details: PageOrder['details'];
}): PageOrder {
  const { returnUrl, amount, phoneNumber, country, language, reason, details } = asked;
  const terms: PageTerms = {
    ...(country !== undefined && { countries: [country] }),
    ...(amount !== undefined && { amounts: [amount] }),
    ...(phoneNumber !== undefined && { payer: { phoneNumber, canChange: false } }),
  };
  return {
    terms,
    returnUrl,
    ...(language !== undefined && { language: language.toLowerCase() as Language }),
    ...(reason !== undefined && { reason: { en: reason, fr: reason } }),
    details,
  };
}

/** `writtenId` is the identifier as written in this request. */
export function renderRejectedPaymentPage(
  writtenId: string,
  { failureCode, failureMessage }: FailureReason,
): Static<typeof rejectedPaymentPageSchema> {
  return { depositId: writtenId, status: 'REJECTED', failureReason: { failureCode, failureMessage } };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: PageSurroundings): readonly Fault[] {
  return [
    ...listReturnUrlFaults(body, surroundings),
    ...listCountryFaults(body, surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}

export function listCountryFaults(body: unknown, { isCountry }: PageSurroundings): readonly Fault[] {
  const country = valueAt(body, 'country');
  const isStrange = typeof country === 'string' && /^[A-Z]{3}$/.test(country) && !isCountry(country);
  return isStrange ? [unknownCountryFault('country')] : [];
}
