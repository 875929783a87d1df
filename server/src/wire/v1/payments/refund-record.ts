// A refund in API v1: status checks and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { RECORD_NOTE } from '../../v2/record.ts';
import { refundIdSchema } from '../../v2/payments/refund.ts';
import { lookupSchema } from '../lookup.ts';
import { outgoingFields, renderOutgoing } from './outgoing.ts';

export const refundRecordSchema = Type.Object(
  {
    refundId: refundIdSchema,
    ...outgoingFields('refund', 'Who gets the money back: the payer of the deposit.'),
  },
  { title: 'Refund', description: RECORD_NOTE },
);

export const refundLookupSchema = lookupSchema(refundRecordSchema);

export function renderRefund(refund: Payment): Static<typeof refundRecordSchema> {
  return { refundId: refund.writtenId, ...renderOutgoing(refund) };
}
