// Error answers by HTTP status. Those of initiations contain the payment's identifier.
import { Type } from 'typebox';
import { FAILURES, failureReason, type FailureCode, type FailureReason } from '../../domain/failure.ts';
import { IDENTIFIER_LENGTH } from '../../domain/identifier.ts';
import type { Fault } from '../fault.ts';
import { valueAt } from '../json.ts';
import { retryAfter } from '../retry-after.ts';
import { exampleMessage, type ExampleValues } from './failure-example.ts';

export type FailureBody = Readonly<Record<string, string | FailureReason>>;

/** A failed request to start a payment. */
export type FailedInitiation = {
  /** The name of the payment's identifier: `depositId`. */
  readonly idName: string;
  /** The parsed body; undefined if it could not be parsed. */
  readonly body: unknown;
};

/** The body of an answer with `httpStatus`; `initiation` only for requests that start a payment. */
export function renderFailure(
  httpStatus: number,
  reason: FailureReason,
  initiation?: FailedInitiation,
): FailureBody {
  switch (httpStatus) {
    case 400:
    case 401:
    case 403:
      return { ...renderIdentifier(initiation), status: 'REJECTED', failureReason: reason };
    case 500:
      return { ...renderIdentifier(initiation), failureReason: reason };
    default:
      return { failureReason: reason };
  }
}

/** The schema of what `renderFailure` returns. */
export function failureSchema(httpStatus: number, idName?: string) {
  const id = idName === undefined ? {} : { [idName]: Type.Optional(echoedIdentifierSchema) };
  const reason = { failureReason: failureReasonSchema(codesAnsweredWith(httpStatus)) };
  switch (httpStatus) {
    case 400:
    case 401:
    case 403:
      return Type.Object({ ...id, status: Type.Literal('REJECTED'), ...reason });
    case 500:
      return Type.Object({ ...id, ...reason });
    case 429:
    case 503:
      return Type.Object(reason, retryAfter);
    default:
      return Type.Object(reason);
  }
}

/** `values` are what the example's message names. */
export function failureReasonSchema(codes: readonly FailureCode[], values?: ExampleValues) {
  return Type.Object(
    {
      failureCode: Type.String({
        description: `For programs. Known codes: ${codes.join(', ')}. Be ready for codes that are added later.`,
        examples: codes.slice(0, 1),
      }),
      failureMessage: Type.String({
        description: 'For people: developers, not customers.',
        examples: codes.slice(0, 1).map((code) => exampleMessage(code, values)),
      }),
    },
    { description: 'Why it failed.' },
  );
}

/** The reason of a request that does not fit the specification. */
export function renderFault({ code, parameter, cause }: Fault): FailureReason {
  return failureReason(code, { parameter, cause });
}

const echoedIdentifierSchema = Type.String({
  maxLength: IDENTIFIER_LENGTH,
  description: `The identifier as you sent it; left out when the body could not be read or holds none of at most ${IDENTIFIER_LENGTH} characters.`,
});

/** The merchant's identifier is repeated even if it is malformed, but its length is limited. */
function renderIdentifier(initiation: FailedInitiation | undefined): Record<string, string> {
  if (initiation === undefined) return {};
  const id = valueAt(initiation.body, initiation.idName);
  return typeof id === 'string' && id.length <= IDENTIFIER_LENGTH ? { [initiation.idName]: id } : {};
}

function codesAnsweredWith(httpStatus: number): readonly FailureCode[] {
  const codes = Object.keys(FAILURES) as FailureCode[];
  return codes.filter((code) => FAILURES[code].httpStatus === httpStatus);
}
