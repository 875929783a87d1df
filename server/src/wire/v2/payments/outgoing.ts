// What payouts, refunds and remittances have in common.
import { Type } from 'typebox';
import type { FailureCode, RejectionCode } from '../../../domain/failure.ts';
import { listQuerySchema } from './list.ts';

/** How a payment to a wallet in the request can be rejected. */
export const OUTGOING_REJECTION_CODES: readonly RejectionCode[] = [
  'INVALID_PROVIDER',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
  'WALLET_OUT_OF_FUNDS',
];

export const OUTGOING_FAILURE_CODES: readonly FailureCode[] = [
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_LIMIT_REACHED',
  'WALLET_LIMIT_REACHED',
  'WALLET_OUT_OF_FUNDS',
  'MANUALLY_CANCELLED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];

const STATUSES = ['ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'] as const;

export const outgoingStatusSchema = Type.Enum(STATUSES, {
  type: 'string',
  description:
    'COMPLETED and FAILED are final. ENQUEUED: waits for the provider, and can be cancelled. ' +
    'IN_RECONCILIATION: the provider gave no clear answer; wait until we have found out.',
});

export const outgoingListQuerySchema = listQuerySchema(STATUSES);
