// The answer to a request that starts a payment, of any kind.
import { Type, type Static } from 'typebox';
import type { FailureReason, RejectionCode } from '../../domain/failure.ts';
import { failureReasonSchema } from './failure.ts';
import type { ExampleValues } from './failure-example.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

/** The outcome of a request to start a payment. */
export type Initiation =
  | { readonly type: 'ACCEPTED'; readonly createdAt: Date }
  /** `createdAt` is that of the first request. */
  | { readonly type: 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly failureReason: FailureReason };

export const INITIATION_NOTE = 'Check `status`: a request answered 200 can still be rejected.';

/** The fields of the answer besides the identifier; `noun` is the kind's name in a sentence. */
/** `values` are what the message of an example names. */
export function initiationFields(
  noun: string,
  rejectionCodes: readonly RejectionCode[],
  values?: ExampleValues,
) {
  return {
    status: Type.Enum(['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'], {
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
    failureReason: Type.Optional(failureReasonSchema(rejectionCodes, values)),
  };
}

type InitiationAnswer = Static<ReturnType<typeof Type.Object<ReturnType<typeof initiationFields>>>>;

/** The answer without the identifier, whose name depends on the kind. */
export function renderInitiation(initiation: Initiation): InitiationAnswer {
  const { type: status } = initiation;
  switch (initiation.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return { status, created: renderTimestamp(initiation.createdAt) };
    case 'REJECTED':
      return { status, failureReason: renderReason(initiation.failureReason) };
  }
}

/** Code and message only: only API v1 has separate codes for the two limits. */
function renderReason({ failureCode, failureMessage }: FailureReason): FailureReason {
  return { failureCode, failureMessage };
}
