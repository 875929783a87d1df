// A refund in API v2: status checks, lists and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema } from '../identifier.ts';
import { lookupSchema } from '../lookup.ts';
import { pageSchema } from './list.ts';
import { OUTGOING_FAILURE_CODES, outgoingStatusSchema } from './outgoing.ts';
import { partySchema, renderParty } from '../party.ts';
import { moneyFields, outcomeFields, RECORD_NOTE, renderRecord } from '../record.ts';
import { refundedDepositIdSchema, refundIdSchema } from './refund.ts';

export const refundRecordSchema = Type.Object(
  {
    refundId: refundIdSchema,
    depositId: refundedDepositIdSchema,
    status: outgoingStatusSchema,
    ...moneyFields,
    recipient: partySchema('Who gets the money back: the payer of the deposit.'),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    ...outcomeFields('refund', OUTGOING_FAILURE_CODES),
  },
  { title: 'Refund', description: RECORD_NOTE },
);

export const refundLookupSchema = lookupSchema({ noun: 'refund', title: 'RefundLookup' }, refundRecordSchema);

export const refundPageSchema = pageSchema({ group: 'refunds', title: 'RefundPage' }, refundRecordSchema);

export function renderRefund(refund: Payment): Static<typeof refundRecordSchema> {
  const { provider, depositId = '' } = refund;
  const { phoneNumber, writtenDepositId = depositId } = refund.details;
  return {
    refundId: refund.writtenId,
    depositId: writtenDepositId,
    status: refund.state,
    recipient: renderParty({ phoneNumber, provider }),
    ...renderRecord(refund),
  };
}
