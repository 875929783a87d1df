// What payouts and refunds have in common in API v1.
import { Type } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { amountSchema } from '../../v2/amount.ts';
import { timestampSchema } from '../../v2/timestamp.ts';
import { partySchema, renderParty } from '../party.ts';
import { recordFields, renderCompletedAt, renderRecord, renderStatus } from '../record.ts';

const FAILURE_CODES = [
  'BALANCE_INSUFFICIENT',
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_NOT_ALLOWED_TO_RECEIVE',
  'RECIPIENT_LIMIT_REACHED',
  'MANUALLY_CANCELLED',
  'OTHER_ERROR',
];

/** The fields of a record besides its identifier. */
export function outgoingFields(noun: string, recipient: string) {
  return {
    status: Type.Enum(['ACCEPTED', 'ENQUEUED', 'SUBMITTED', 'COMPLETED', 'FAILED'], {
      type: 'string',
      description:
        'COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. ' +
        'SUBMITTED: it is at the provider.',
    }),
    amount: amountSchema,
    recipient: partySchema(recipient),
    receivedByRecipient: Type.Optional(timestampSchema('When the money had arrived; only when COMPLETED.')),
    ...recordFields(noun, FAILURE_CODES),
  };
}

export function renderOutgoing(payment: Payment) {
  const receivedByRecipient = renderCompletedAt(payment);
  return {
    status: renderStatus(payment.state),
    amount: payment.amountText,
    recipient: renderParty(payment.details.phoneNumber),
    ...(receivedByRecipient !== null && { receivedByRecipient }),
    ...renderRecord(payment),
  };
}
