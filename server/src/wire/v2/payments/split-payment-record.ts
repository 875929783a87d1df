// A split payment in API v2: status checks and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment, PaymentState } from '../../../domain/payments/payment.ts';
import type { SplitStatus } from '../../../domain/payments/split.ts';
import { redirectFields, renderRedirect, type AuthType } from './authorisation.ts';
import { COLLECTION_FAILURE_CODES } from './collection.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema, exampleIdentifier, identifierSchema } from '../identifier.ts';
import { lookupSchema } from '../lookup.ts';
import { partySchema, renderParty } from '../party.ts';
import { moneyFields, outcomeFields, RECORD_NOTE, renderRecord } from '../record.ts';
import { shareFields, sharePayoutIdSchema, splitPaymentIdSchema } from './split-payment.ts';

const shareRecordSchema = Type.Object({
  payoutId: identifierSchema(
    'The payout this share is or becomes. It has a status check and a callback of its own.',
    exampleIdentifier(sharePayoutIdSchema),
  ),
  status: Type.Enum(['ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'], {
    type: 'string',
    description: 'ACCEPTED until the money is collected; FAILED with the collection.',
  }),
  ...shareFields,
});

export const splitPaymentRecordSchema = Type.Object(
  {
    splitPaymentId: splitPaymentIdSchema,
    status: Type.Enum(
      ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'PAYOUT_FAILED', 'FAILED'],
      {
        type: 'string',
        description:
          'COMPLETED: all shares were paid. PAYOUT_FAILED: the money was collected, and at least one share ' +
          'failed. FAILED: the money was not collected. These three are final.',
      },
    ),
    ...moneyFields,
    payer: partySchema('Who pays.'),
    splits: Type.Array(shareRecordSchema),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    ...outcomeFields('split payment', COLLECTION_FAILURE_CODES),
    ...redirectFields,
  },
  { title: 'SplitPayment', description: RECORD_NOTE },
);

export const splitPaymentLookupSchema = lookupSchema(
  { noun: 'split payment', title: 'SplitPaymentLookup' },
  splitPaymentRecordSchema,
);

/** The data of the record. */
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
  const { phoneNumber } = collection.details;
  return {
    ...renderRecord(collection),
    splitPaymentId: facts.writtenId,
    status,
    payer: renderParty({ phoneNumber, provider: collection.provider }),
    splits: facts.parts.map((part) => ({
      payoutId: part.writtenId,
      status: part.state ?? (status === 'FAILED' ? 'FAILED' : 'ACCEPTED'),
      amount: part.amountText,
      recipient: renderParty({ phoneNumber: part.details.phoneNumber, provider: part.provider }),
    })),
    ...renderRedirect(collection, authType),
  };
}
