// A deposit in API v2: status checks, lists and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { redirectFields, renderRedirect, type AuthType } from './authorisation.ts';
import { COLLECTION_FAILURE_CODES } from './collection.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { depositIdSchema } from './deposit.ts';
import { clientReferenceIdSchema } from '../identifier.ts';
import { lookupSchema } from '../lookup.ts';
import { listQuerySchema, pageSchema } from './list.ts';
import { partySchema, renderParty } from '../party.ts';
import { moneyFields, outcomeFields, RECORD_NOTE, renderRecord } from '../record.ts';

const STATUSES = ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'] as const;

export const depositRecordSchema = Type.Object(
  {
    depositId: depositIdSchema,
    status: Type.Enum(STATUSES, {
      type: 'string',
      description:
        'COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; wait ' +
        'until we have found out.',
    }),
    ...moneyFields,
    payer: partySchema('Who pays.'),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    ...outcomeFields('deposit', COLLECTION_FAILURE_CODES),
    ...redirectFields,
  },
  { title: 'Deposit', description: RECORD_NOTE },
);

export const depositLookupSchema = lookupSchema(
  { noun: 'deposit', title: 'DepositLookup' },
  depositRecordSchema,
);

export const depositListQuerySchema = listQuerySchema(STATUSES);
export const depositPageSchema = pageSchema({ group: 'deposits', title: 'DepositPage' }, depositRecordSchema);

export type DepositRecord = Static<typeof depositRecordSchema>;

/** `authType` is that of the deposit's provider; null if the catalogue no longer has the provider. */
export function renderDeposit(deposit: Payment, authType: AuthType | null): DepositRecord {
  return { ...renderPlainDeposit(deposit), ...renderRedirect(deposit, authType) };
}

/** Without the fields of the redirect flow. */
export function renderPlainDeposit(deposit: Payment) {
  return {
    depositId: deposit.writtenId,
    // A deposit is never ENQUEUED; if one were, the merchant only needs to know that it was not sent.
    status: deposit.state === 'ENQUEUED' ? ('ACCEPTED' as const) : deposit.state,
    payer: renderParty({ phoneNumber: deposit.details.phoneNumber, provider: deposit.provider }),
    ...renderRecord(deposit),
  };
}
