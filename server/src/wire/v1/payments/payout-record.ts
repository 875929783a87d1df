// A payout in API v1: status checks and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { payoutIdSchema } from '../../v2/payments/payout.ts';
import { RECORD_NOTE } from '../../v2/record.ts';
import { lookupSchema } from '../lookup.ts';
import { outgoingFields, renderOutgoing } from './outgoing.ts';

export const payoutRecordSchema = Type.Object(
  { payoutId: payoutIdSchema, ...outgoingFields('payout', 'Who receives the money.') },
  { title: 'Payout', description: RECORD_NOTE },
);

export const payoutLookupSchema = lookupSchema(payoutRecordSchema);

export function renderPayout(payout: Payment): Static<typeof payoutRecordSchema> {
  return { payoutId: payout.writtenId, ...renderOutgoing(payout) };
}
