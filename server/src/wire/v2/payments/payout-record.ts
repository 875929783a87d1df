// A payout in API v2: status checks, lists and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema } from '../identifier.ts';
import { lookupSchema } from '../lookup.ts';
import { pageSchema } from './list.ts';
import { OUTGOING_FAILURE_CODES, outgoingStatusSchema } from './outgoing.ts';
import { partySchema, renderParty } from '../party.ts';
import { payoutIdSchema } from './payout.ts';
import { moneyFields, outcomeFields, RECORD_NOTE, renderRecord } from '../record.ts';

export const payoutRecordSchema = Type.Object(
  {
    payoutId: payoutIdSchema,
    status: outgoingStatusSchema,
    ...moneyFields,
    recipient: partySchema('Who receives the money.'),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    ...outcomeFields('payout', OUTGOING_FAILURE_CODES),
  },
  { title: 'Payout', description: RECORD_NOTE },
);

export const payoutLookupSchema = lookupSchema({ noun: 'payout', title: 'PayoutLookup' }, payoutRecordSchema);

export const payoutPageSchema = pageSchema({ group: 'payouts', title: 'PayoutPage' }, payoutRecordSchema);

export function renderPayout(payout: Payment): Static<typeof payoutRecordSchema> {
  return {
    payoutId: payout.writtenId,
    status: payout.state,
    recipient: renderParty({ phoneNumber: payout.details.phoneNumber, provider: payout.provider }),
    ...renderRecord(payout),
  };
}
