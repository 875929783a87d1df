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
  const description = MEANINGS[httpStatus] ?? '';
  switch (httpStatus) {
    case 400:
    case 401:
    case 403:
      return Type.Object({ ...id, status: Type.Literal('REJECTED'), ...reason }, { description });
    case 500:
      return Type.Object({ ...id, ...reason }, { description });
    case 429:
    case 503:
      return Type.Object(reason, { description, ...retryAfter });
    default:
      return Type.Object(reason, { description });
  }
}

/** What each error status means, for the OpenAPI documents of both versions. */
export const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is malformed. Nothing was done; correct it.',
  401: 'The API token or the signature is missing or not valid. Nothing was done.',
  403: 'The API token lacks the scope, or the account may not do this. Nothing was done.',
  404: 'It does not exist, or cannot be used here. Nothing was done.',
  410: 'Events after the cursor are not available. Continue with `restartAfter`.',
  413: 'The body is too large. Nothing was done.',
  415: 'The body is compressed. Nothing was done.',
  429: 'Too many requests. Nothing was done; repeat it after `Retry-After` seconds.',
  431: 'The headers are too large. Nothing was done.',
  500: 'An error of the gateway. A payment may have been started: check its status before you send the request again.',
  503: 'The gateway is starting, stopping or overloaded. Nothing was done; repeat it after `Retry-After` seconds.',
};

/** `example` is the message of the example, or what it names. */
export function failureReasonSchema(codes: readonly FailureCode[], example?: ExampleValues | string) {
  const shown = exampleCodes(codes);
  return Type.Object(
    {
      failureCode: Type.String({
        description: `For programs. Known codes: ${codes.join(', ')}. Be ready for codes that are added later.`,
        examples: [...shown],
      }),
      failureMessage: Type.String({
        description: 'For people: developers, not customers.',
        examples: shown.map((code) =>
          typeof example === 'string' ? example : exampleMessage(code, example),
        ),
      }),
    },
    { description: 'Why it failed.' },
  );
}

/** Of malformed requests, what any body and any path can have wrong. */
export function exampleCodes(codes: readonly FailureCode[]): readonly FailureCode[] {
  return codes.includes('INVALID_INPUT') ? ['UNSUPPORTED_PARAMETER', 'INVALID_PARAMETER'] : codes.slice(0, 1);
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

export function codesAnsweredWith(httpStatus: number): readonly FailureCode[] {
  const codes = Object.keys(FAILURES) as FailureCode[];
  return codes.filter((code) => FAILURES[code].httpStatus === httpStatus);
}
