// A deposit in API v1: status checks and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { amountTextSchema } from '../../v2/amount.ts';
import { depositIdSchema } from '../../v2/payments/deposit.ts';
import { RECORD_NOTE } from '../../v2/record.ts';
import { timestampSchema } from '../../v2/timestamp.ts';
import { lookupSchema } from '../lookup.ts';
import { partySchema, renderParty } from '../party.ts';
import { recordFields, renderCompletedAt, renderRecord, renderStatus } from '../record.ts';

const FAILURE_CODES = [
  'PAYER_NOT_FOUND',
  'PAYMENT_NOT_APPROVED',
  'PAYER_LIMIT_REACHED',
  'INSUFFICIENT_BALANCE',
  'TRANSACTION_ALREADY_IN_PROCESS',
  'OTHER_ERROR',
];

export const depositRecordSchema = Type.Object(
  {
    depositId: depositIdSchema,
    status: Type.Enum(['ACCEPTED', 'SUBMITTED', 'COMPLETED', 'FAILED'], {
      type: 'string',
      description: 'COMPLETED and FAILED are final. SUBMITTED: it is at the provider.',
    }),
    requestedAmount: amountTextSchema('The amount that was asked for, as you wrote it.'),
    depositedAmount: Type.Optional(amountTextSchema('The amount that came; only when COMPLETED.')),
    payer: partySchema('Who pays.'),
    respondedByPayer: Type.Optional(timestampSchema('When the payer had approved; only when COMPLETED.')),
    ...recordFields('deposit', FAILURE_CODES),
  },
  { title: 'Deposit', description: RECORD_NOTE },
);

export const depositLookupSchema = lookupSchema(depositRecordSchema);

export function renderDeposit(deposit: Payment): Static<typeof depositRecordSchema> {
  const respondedByPayer = renderCompletedAt(deposit);
  const status = renderStatus(deposit.state);
  return {
    depositId: deposit.writtenId,
    // A deposit is never ENQUEUED; if one were, the merchant only needs to know that it was not sent.
    status: status === 'ENQUEUED' ? 'ACCEPTED' : status,
    requestedAmount: deposit.amountText,
    ...(deposit.state === 'COMPLETED' && { depositedAmount: deposit.amountText }),
    payer: renderParty(deposit.details.phoneNumber),
    ...(respondedByPayer !== null && { respondedByPayer }),
    ...renderRecord(deposit),
  };
}
