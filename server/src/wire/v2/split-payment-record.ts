// A split payment as the current generation tells it: in status checks and in callbacks.
import { Type, type Static } from 'typebox';
import { failureReason, type PaymentFailureCode } from '../../domain/failure.ts';
import { metadataToRecord } from '../../domain/metadata.ts';
import type { Payment, PaymentState } from '../../domain/payment.ts';
import type { SplitStatus } from '../../domain/split.ts';
import { findFault, type Fault } from '../fault.ts';
import { amountSchema, countrySchema, currencySchema } from './amount.ts';
import { redirectFields, renderRedirect, type AuthType } from './authorisation.ts';
import { customerMessageSchema } from './customer-message.ts';
import { failureReasonSchema } from './failure.ts';
import { clientReferenceIdSchema, identifierSchema } from './identifier.ts';
import { metadataRecordSchema } from './metadata.ts';
import { partySchema, renderParty } from './party.ts';
import { splitPaymentIdSchema } from './split-payment.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

const COLLECTION_FAILURES: readonly PaymentFailureCode[] = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];

const shareRecordSchema = Type.Object({
  payoutId: identifierSchema(
    'The payout this share is or becomes. It has a status check and a callback of its own.',
  ),
  status: Type.Enum(['ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'], {
    type: 'string',
    description: 'ACCEPTED until the money is collected; FAILED with the collection.',
  }),
  amount: amountSchema,
  recipient: partySchema('Who gets this share.'),
});

export const splitPaymentRecordSchema = Type.Object(
  {
    splitPaymentId: splitPaymentIdSchema,
    status: Type.Enum(
      ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'PAYOUT_FAILED', 'FAILED'],
      {
        type: 'string',
        description:
          'COMPLETED: everybody has got their share. PAYOUT_FAILED: the money was collected, and at least one share ' +
          'could not be paid out. FAILED: the money was not collected. These three are final.',
      },
    ),
    amount: amountSchema,
    currency: currencySchema,
    country: countrySchema,
    payer: partySchema('Who pays.'),
    splits: Type.Array(shareRecordSchema),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    created: timestampSchema('When the split payment was accepted.'),
    providerTransactionId: Type.Optional(
      Type.String({ description: "The provider's identifier of the collection." }),
    ),
    failureReason: Type.Optional(failureReasonSchema(COLLECTION_FAILURES)),
    metadata: Type.Optional(metadataRecordSchema),
    ...redirectFields,
  },
  { title: 'SplitPayment', description: 'Fields without a value are left out; none is ever null.' },
);

export const splitPaymentLookupSchema = Type.Object(
  {
    status: Type.Enum(['FOUND', 'NOT_FOUND'], { type: 'string' }),
    data: Type.Optional(splitPaymentRecordSchema),
  },
  { title: 'SplitPaymentLookup', description: 'What became of it is the `status` inside `data`.' },
);

export const splitPaymentPathSchema = Type.Object(
  { splitPaymentId: splitPaymentIdSchema },
  { additionalProperties: false },
);

export function findSplitPaymentPathFault(path: unknown): Fault | null {
  return findFault(splitPaymentPathSchema, path);
}

/** What the record is made of. */
export type SplitPaymentFacts = {
  readonly writtenId: string;
  readonly status: SplitStatus;
  readonly collection: Payment;
  readonly parts: readonly {
    readonly writtenId: string;
    readonly amountText: string;
    readonly provider: string;
    readonly details: { readonly phoneNumber: string };
    readonly state: PaymentState | null;
  }[];
};

export function renderSplitPayment(
  facts: SplitPaymentFacts,
  authType: AuthType | null,
): Static<typeof splitPaymentRecordSchema> {
  const { collection, status } = facts;
  const { phoneNumber, customerMessage, clientReferenceId, metadata } = collection.details;
  const { providerTransactionId } = collection;
  return {
    splitPaymentId: facts.writtenId,
    status,
    amount: collection.amountText,
    currency: collection.currency,
    country: collection.country,
    payer: renderParty({ phoneNumber, provider: collection.provider }),
    splits: facts.parts.map((part) => ({
      payoutId: part.writtenId,
      status: part.state ?? (status === 'FAILED' ? 'FAILED' : 'ACCEPTED'),
      amount: part.amountText,
      recipient: renderParty({ phoneNumber: part.details.phoneNumber, provider: part.provider }),
    })),
    customerMessage,
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    created: renderTimestamp(collection.createdAt),
    ...(providerTransactionId !== undefined && { providerTransactionId }),
    ...(status === 'FAILED' && {
      failureReason: failureReason(collection.failureCode ?? 'UNSPECIFIED_FAILURE'),
    }),
    ...(metadata !== undefined && { metadata: metadataToRecord(metadata) }),
    ...renderRedirect(collection, authType),
  };
}
