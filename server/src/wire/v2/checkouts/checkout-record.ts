// A checkout in API v2: status checks and callbacks, and its cancellation by the merchant.
import { Type, type Static } from 'typebox';
import {
  CHECKOUT_STATUSES,
  type CheckoutStatus,
  type ReturnMethod,
} from '../../../domain/checkouts/checkout.ts';
import type { FailureReason } from '../../../domain/failure.ts';
import { metadataToRecord } from '../../../domain/metadata.ts';
import type { PageOrder, PagePayer } from '../../../domain/checkouts/page-terms.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { addressFields, checkoutFields, checkoutIdSchema } from './checkout.ts';
import { depositRecordSchema, renderPlainDeposit } from '../payments/deposit-record.ts';
import { namesOf } from '../action.ts';
import { failureReasonSchema } from '../failure.ts';
import { lookupSchema } from '../lookup.ts';
import { metadataRecordSchema } from '../metadata.ts';
import { RECORD_NOTE } from '../record.ts';
import { renderTimestamp, timestampSchema } from '../timestamp.ts';

const attemptSchema = Type.Omit(depositRecordSchema, [
  'nextStep',
  'authorizationUrl',
  'successfulUrl',
  'failedUrl',
]);

export const checkoutRecordSchema = Type.Object(
  {
    checkoutId: checkoutIdSchema,
    status: Type.Enum(CHECKOUT_STATUSES, {
      type: 'string',
      description:
        'WAITING_PAYMENT: the customer can pay. PROCESSING: an attempt runs. COMPLETED: one succeeded. ' +
        'FAILED: the attempt at the time limit failed. EXPIRED: the time limit passed, or you ended it. ' +
        'CANCELLED: the customer gave up. The last four are final.',
    }),
    ...addressFields,
    created: timestampSchema('When the checkout was accepted.'),
    returnUrl: checkoutFields.returnUrl,
    returnMethod: checkoutFields.returnMethod,
    defaultLanguage: Type.Optional(checkoutFields.defaultLanguage),
    countries: Type.Optional(checkoutFields.countries),
    expiresAfter: checkoutFields.expiresAfter,
    amounts: Type.Optional(checkoutFields.amounts),
    payer: Type.Optional(checkoutFields.payer),
    clientReferenceId: Type.Optional(checkoutFields.clientReferenceId),
    reason: Type.Optional(checkoutFields.reason),
    providerTransactionId: Type.Optional(
      Type.String({
        description: "The provider's own identifier of the latest attempt, if it gave one.",
        examples: ['12356789'],
      }),
    ),
    depositStatus: Type.Optional(depositRecordSchema.properties.status),
    deposit: Type.Optional(attemptSchema),
    depositsHistory: Type.Array(attemptSchema, {
      description: 'Every attempt, the first one first. Each is also a deposit that can be read by itself.',
    }),
    metadata: Type.Optional(metadataRecordSchema),
  },
  { title: 'Checkout', description: RECORD_NOTE },
);

export const checkoutLookupSchema = lookupSchema(
  { noun: 'checkout', title: 'CheckoutLookup' },
  checkoutRecordSchema,
);

/** The data of the record. */
export type CheckoutFacts = {
  readonly checkout: {
    readonly writtenId: string;
    readonly status: CheckoutStatus;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  };
  readonly order: PageOrder & {
    readonly code: string;
    readonly redirectUrl: string;
    readonly returnMethod: ReturnMethod;
    readonly expiresAfterMinutes: number;
  };
  readonly attempts: readonly Payment[];
};

/** The page decides where the customer of an attempt is redirected, so the record omits it. */
export function renderCheckout({
  checkout,
  order,
  attempts,
}: CheckoutFacts): Static<typeof checkoutRecordSchema> {
  const { clientReferenceId, metadata } = order.details;
  const latest = attempts.at(-1);
  const history = attempts.map(renderPlainDeposit);
  const [deposit] = history.slice(-1);
  return {
    checkoutId: checkout.writtenId,
    status: checkout.status,
    redirectUrl: order.redirectUrl,
    created: renderTimestamp(checkout.createdAt),
    expiresAt: renderTimestamp(checkout.expiresAt),
    checkoutCode: order.code,
    returnUrl: order.returnUrl,
    returnMethod: order.returnMethod,
    ...(order.language !== undefined && { defaultLanguage: order.language }),
    ...renderTerms(order),
    expiresAfter: order.expiresAfterMinutes,
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(order.reason !== undefined && { reason: order.reason }),
    ...(latest?.providerTransactionId !== undefined && {
      providerTransactionId: latest.providerTransactionId,
    }),
    ...(deposit !== undefined && { depositStatus: deposit.status, deposit }),
    depositsHistory: history,
    ...(metadata !== undefined && { metadata: metadataToRecord(metadata) }),
  };
}

function renderTerms({ terms: { countries, amounts, payer } }: PageOrder) {
  return {
    ...(countries !== undefined && { countries: [...countries] }),
    ...(amounts !== undefined && {
      amounts: amounts.map(({ country = '', currency = '', amountText: amount }) => ({
        country,
        currency,
        amount,
      })),
    }),
    ...(payer !== undefined && { payer: renderPayer(payer) }),
  };
}

function renderPayer({ canChange: allowCustomerToOverride, ...wallet }: PagePayer) {
  return { type: 'MMO' as const, accountDetails: { ...wallet, allowCustomerToOverride } };
}

export const checkoutExpirySchema = Type.Object(
  {
    checkoutId: checkoutIdSchema,
    status: Type.Enum(['EXPIRED', 'REJECTED'], {
      type: 'string',
      description: 'EXPIRED: no one can pay any more. REJECTED: nothing was done, for the reason given.',
    }),
    expiredAt: Type.Optional(timestampSchema('When you ended it.', '2026-01-02T03:14:05.678Z')),
    reason: Type.Optional(Type.Literal('MANUAL_EXPIRY')),
    expiredBy: Type.Optional(Type.Literal('API')),
    failureReason: Type.Optional(
      failureReasonSchema(['INVALID_STATE'], namesOf('checkoutId', checkoutIdSchema)),
    ),
  },
  { description: 'Check `status`: an action answered 200 can still be rejected.' },
);

export const unknownCheckoutSchema = Type.Object(
  {
    checkoutId: checkoutIdSchema,
    status: Type.Literal('REJECTED'),
    failureReason: failureReasonSchema(['NOT_FOUND'], namesOf('checkoutId', checkoutIdSchema)),
  },
  { description: 'There is no such checkout.' },
);

/** `checkoutId` is the identifier as written in this request. */
export function renderExpiry(checkoutId: string, expiredAt: Date): Static<typeof checkoutExpirySchema> {
  return {
    checkoutId,
    status: 'EXPIRED',
    expiredAt: renderTimestamp(expiredAt),
    reason: 'MANUAL_EXPIRY',
    expiredBy: 'API',
  };
}

export function renderRefusedExpiry(checkoutId: string, failureReason: FailureReason) {
  return { checkoutId, status: 'REJECTED' as const, failureReason };
}
