// A deposit as the current generation tells it: in status checks and in callbacks.
import { Type, type Static } from 'typebox';
import { failureReason, type PaymentFailureCode } from '../../domain/failure.ts';
import { canonicalIdentifier } from '../../domain/identifier.ts';
import { metadataToRecord } from '../../domain/metadata.ts';
import type { Payment } from '../../domain/payment.ts';
import { findFault, type Fault } from '../fault.ts';
import { amountSchema, countrySchema, currencySchema } from './amount.ts';
import { redirectFields, renderRedirect, type AuthType } from './authorisation.ts';
import { customerMessageSchema } from './customer-message.ts';
import { depositIdSchema } from './deposit.ts';
import { failureReasonSchema } from './failure.ts';
import { clientReferenceIdSchema } from './identifier.ts';
import { metadataRecordSchema } from './metadata.ts';
import { partySchema, renderParty } from './party.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

const FAILURE_CODES: readonly PaymentFailureCode[] = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];

export const depositRecordSchema = Type.Object(
  {
    depositId: depositIdSchema,
    status: Type.Enum(['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'], {
      type: 'string',
      description:
        'COMPLETED and FAILED are final. IN_RECONCILIATION: the provider gave no clear answer; we find out, you wait.',
    }),
    amount: amountSchema,
    currency: currencySchema,
    country: countrySchema,
    payer: partySchema('Who pays.'),
    customerMessage: customerMessageSchema,
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    created: timestampSchema('When the deposit was accepted.'),
    providerTransactionId: Type.Optional(
      Type.String({ description: "The provider's own identifier, if it gave one.", examples: ['12356789'] }),
    ),
    failureReason: Type.Optional(failureReasonSchema(FAILURE_CODES)),
    metadata: Type.Optional(metadataRecordSchema),
    ...redirectFields,
  },
  { title: 'Deposit', description: 'Fields without a value are left out; none is ever null.' },
);

// One object and not two alternatives: a serializer that has to choose between alternatives validates the record to
// do so, and would answer 500 for a deposit that differs from its description in as little as a message.
export const depositLookupSchema = Type.Object(
  {
    status: Type.Enum(['FOUND', 'NOT_FOUND'], {
      type: 'string',
      description: 'Whether there is such a deposit. What became of it is the status inside data.',
    }),
    data: Type.Optional(depositRecordSchema),
  },
  { title: 'DepositLookup', description: 'The answer to a status check; data only when FOUND.' },
);

export const depositPathSchema = Type.Object({ depositId: depositIdSchema }, { additionalProperties: false });

export type DepositRecord = Static<typeof depositRecordSchema>;

/** The identifier in the path of a request about one deposit, in the form under which it is unique. */
export function parseDepositPath(
  path: unknown,
):
  | { readonly type: 'PARSED'; readonly paymentId: string }
  | { readonly type: 'FAULT'; readonly fault: Fault } {
  const fault = findFault(depositPathSchema, path);
  if (fault !== null) return { type: 'FAULT', fault };
  const { depositId } = path as Static<typeof depositPathSchema>;
  return { type: 'PARSED', paymentId: canonicalIdentifier(depositId) };
}

/** The answer to a status check: `deposit` is null when there is none. */
export function renderDepositLookup(
  deposit: Payment | null,
  authType: AuthType | null,
): Static<typeof depositLookupSchema> {
  if (deposit === null) return { status: 'NOT_FOUND' };
  return { status: 'FOUND', data: renderDeposit(deposit, authType) };
}

/** `authType` is that of the deposit's provider; null when the catalogue no longer has the provider. */
export function renderDeposit(deposit: Payment, authType: AuthType | null): DepositRecord {
  const { details, providerTransactionId } = deposit;
  const { customerMessage, clientReferenceId, metadata } = details;
  return {
    depositId: deposit.writtenId,
    // A deposit is never ENQUEUED; if one were, all a merchant needs to know is that it has not been sent.
    status: deposit.state === 'ENQUEUED' ? 'ACCEPTED' : deposit.state,
    amount: deposit.amountText,
    currency: deposit.currency,
    country: deposit.country,
    payer: renderParty({ phoneNumber: details.phoneNumber, provider: deposit.provider }),
    customerMessage,
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    created: renderTimestamp(deposit.createdAt),
    ...(providerTransactionId !== undefined && { providerTransactionId }),
    ...(deposit.state === 'FAILED' && {
      failureReason: failureReason(deposit.failureCode ?? 'UNSPECIFIED_FAILURE'),
    }),
    ...(metadata !== undefined && { metadata: metadataToRecord(metadata) }),
    ...renderRedirect(deposit, authType),
  };
}
