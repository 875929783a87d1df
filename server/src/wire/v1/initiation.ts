// The answer of API v1 to a request that starts a payment.
import { Type, type Static } from 'typebox';
import type { FailureReason } from '../../domain/failure.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { renderTimestamp, timestampSchema } from '../v2/timestamp.ts';
import { rejectionReasonSchema, renderRejection } from './failure.ts';

/** The outcome of a request to start a payment. */
export type Initiation =
  /** ENQUEUED: accepted, and waiting for its provider. */
  | { readonly type: 'ACCEPTED' | 'ENQUEUED'; readonly createdAt: Date }
  /** `createdAt` is that of the first request. */
  | { readonly type: 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason };

const STATUSES = ['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'] as const;

/** The fields of the answer besides the identifier; `noun` is the kind's name in a sentence. */
export function initiationFields<Status extends string = never>(
  noun: string,
  rejectionCodes: readonly string[],
  furtherStatuses: readonly Status[] = [],
) {
  return {
    status: Type.Enum([...STATUSES, ...furtherStatuses], {
      type: 'string',
      description:
        `ACCEPTED: the ${noun} will be processed. DUPLICATE_IGNORED: a ${noun} with this identifier was accepted ` +
        'before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free.',
    }),
    created: Type.Optional(
      timestampSchema(
        `When the ${noun} was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED.`,
      ),
    ),
    rejectionReason: Type.Optional(rejectionReasonSchema(rejectionCodes)),
  };
}

type InitiationAnswer = Static<
  ReturnType<typeof Type.Object<ReturnType<typeof initiationFields<'ENQUEUED'>>>>
>;

/** The answer without the identifier, whose name depends on the kind. */
export function renderInitiation(initiation: Initiation, kind: PaymentKind): InitiationAnswer {
  const { type: status } = initiation;
  switch (initiation.type) {
    case 'ACCEPTED':
    case 'ENQUEUED':
    case 'DUPLICATE_IGNORED':
      return { status, created: renderTimestamp(initiation.createdAt) };
    case 'REJECTED':
      return { status, rejectionReason: renderRejection(initiation.reason, kind) };
  }
}
