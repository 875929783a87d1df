// Payments that a restore lost, and whose their money is.
import { Type } from 'typebox';
import { LOST_PAYMENT_BEARERS } from '../../../domain/ledger/lost-payment.ts';
import { arrayOf, describeCalls, orNull, strict, timeSchema } from '../shape.ts';
import { amountSchema, codeSchema, reasonSchema, uuidSchema } from '../terms.ts';

const directionSchema = Type.Enum(['IN', 'OUT'], { type: 'string' });
const bearerSchema = Type.Enum([...LOST_PAYMENT_BEARERS], { type: 'string' });

const nameFields = {
  provider: Type.String(),
  reference: Type.String(),
  /** IN: to us, as a deposit. OUT: from us, as everything else. */
  direction: directionSchema,
};
const paymentFields = {
  ...nameFields,
  amount: amountSchema,
  currency: Type.String(),
  /** When the operator moved the money. */
  occurredAt: timeSchema,
};

export const lostPaymentCalls = describeCalls({
  listLostPayments: {
    answer: strict({
      /** Not sent again by their merchants, and not decided; the oldest first. */
      rows: arrayOf({
        ...paymentFields,
        /** Whether its money stands in SUSPENSE: its report was approved. */
        isStanding: Type.Boolean(),
        /** Whether a decision is pending approval. */
        isRequested: Type.Boolean(),
      }),
      /** The latest decisions first. */
      decided: arrayOf({
        ...paymentFields,
        bearer: bearerSchema,
        /** Whose wallet was credited or charged. */
        bearerMerchantId: orNull(Type.String()),
        bearerMerchant: orNull(Type.String()),
        /** In which cell it was decided. */
        cell: Type.String(),
        decidedAt: timeSchema,
        /** When its merchant sent it again after all, and the decision was posted back. */
        postedBackAt: orNull(timeSchema),
        merchantId: orNull(Type.String()),
      }),
    }),
  },
  decideLostPayment: {
    body: strict({
      provider: codeSchema,
      reference: codeSchema,
      direction: directionSchema,
      bearer: bearerSchema,
      /** Of MERCHANT, and of no other. */
      merchantId: Type.Optional(uuidSchema),
      reason: reasonSchema,
    }),
    answer: strict({ approvalId: Type.String() }),
  },
});
