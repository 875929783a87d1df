// Error answers of API v1: one format for all, with a number for programs.
import { Type, type Static } from 'typebox';
import { earlierCode, FAILURES, type FailureCode, type FailureReason } from '../../domain/failure.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { retryAfter } from '../retry-after.ts';
import { codesAnsweredWith, exampleCodes, MEANINGS } from '../v2/failure.ts';
import { exampleMessage } from '../v2/failure-example.ts';
import { translateMessage } from './words.ts';

/** 0 internal error, 1 invalid input, 2 authentication error, 3 authorization error. */
const ERROR_CODES = [0, 1, 2, 3] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export function errorSchema(httpStatus: number) {
  const codes = exampleCodes(codesAnsweredWith(httpStatus));
  return Type.Object(
    {
      errorId: Type.String({
        description: 'Names this one answer. Give it to support: the log of the gateway has it too.',
        examples: ['5d3c8a0e-7f2b-4c19-9e64-1b0a2d7f8c35'],
      }),
      errorCode: Type.Enum(ERROR_CODES, {
        type: 'integer',
        description: '0: internal error. 1: invalid input. 2: authentication error. 3: authorization error.',
        examples: [errorCodeOf(httpStatus)],
      }),
      errorMessage: Type.String({
        description: 'For people: developers, not customers.',
        examples: codes.map((code) => translateMessage(exampleMessage(code))),
      }),
    },
    {
      title: 'Error',
      description: MEANINGS[httpStatus] ?? '',
      ...([429, 503].includes(httpStatus) && retryAfter),
    },
  );
}

/** `errorId` is created for this answer. */
export function renderError(
  httpStatus: number,
  { failureMessage }: FailureReason,
  errorId: string,
): Static<ReturnType<typeof errorSchema>> {
  return { errorId, errorCode: errorCodeOf(httpStatus), errorMessage: translateMessage(failureMessage) };
}

export function errorCodeOf(httpStatus: number): ErrorCode {
  if (httpStatus === 401) return 2;
  if (httpStatus === 403) return 3;
  return httpStatus < 500 ? 1 : 0;
}

/** Why a payment was not accepted. */
export function rejectionReasonSchema(codes: readonly string[]) {
  return Type.Object(
    {
      rejectionCode: codeSchema(codes),
      rejectionMessage: messageSchema(codes),
    },
    { description: 'Why it was rejected.' },
  );
}

export function renderRejection(
  { failureCode, failureMessage, bound }: FailureReason,
  kind: PaymentKind,
): Static<ReturnType<typeof rejectionReasonSchema>> {
  const rejectionMessage = translateMessage(failureMessage);
  return { rejectionCode: earlierCode(failureCode, { kind, bound }), rejectionMessage };
}

/** Why an accepted payment ended FAILED. */
export function failureReasonSchema(codes: readonly string[]) {
  return Type.Object(
    {
      failureCode: codeSchema(codes),
      failureMessage: messageSchema(codes),
    },
    { description: 'Why it failed.' },
  );
}

/** The message of the code that `codeSchema` has as its example. */
function messageSchema([first = '']: readonly string[]) {
  const [code] = FAILURE_CODES.filter((one) => one === first || FAILURES[one].earlier === first);
  return Type.String({
    description: 'For people: developers, not customers.',
    ...(code !== undefined && { examples: [translateMessage(exampleMessage(code))] }),
  });
}

const FAILURE_CODES = Object.keys(FAILURES) as readonly FailureCode[];

function codeSchema(codes: readonly string[]) {
  return Type.String({
    description: `For programs. Known codes: ${codes.join(', ')}. Be ready for codes that are added later.`,
    examples: codes.slice(0, 1),
  });
}
