// Parses answers of the gateway. An unrecognised answer is ignored, and the request stays unclear.
import type { FailureReason } from './api.ts';
import { unreadable, type Answered } from './connection.ts';
import type { Kind } from './kind.ts';
import { MalipoError } from './malipo-error.ts';
import type { Acted, Found, Rejected, Started } from './outcome.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request with its identifier. */
export type SentRequest = Fields & { readonly id: string };

/** The result of each request, in the same order; null if the answer is not understood. */
export function readStarted(kind: Kind, ids: readonly string[], answer: Answered): readonly Started[] | null {
  const reason = readReason(answer.body);
  if (reason !== null && answer.status >= 400) return ids.map((id) => rejected(id, reason, answer));
  const said: readonly unknown[] = Array.isArray(answer.body) ? answer.body : [answer.body];
  if (answer.status >= 300 || said.length !== ids.length) return null;
  const read = ids.map((id, index) => readOne(kind, id, fieldsOf(said[index]), answer));
  return read.every((one) => one !== null) ? read : null;
}

function readOne(kind: Kind, id: string, said: Fields, answer: Answered): Started | null {
  if (String(said[kind.idName]).toLowerCase() !== id.toLowerCase()) return null;
  const { created } = said;
  const reason = readReason(said);
  if (said['status'] === 'REJECTED' && reason !== null) return rejected(id, reason, answer);
  if (typeof created !== 'string') return null;
  if (said['status'] === 'ACCEPTED') return { outcome: 'accepted', id, created, ...pick(said, kind.extras) };
  if (said['status'] !== 'DUPLICATE_IGNORED') return null;
  return { outcome: 'duplicate', id, created, ...pick(said, kind.extras) };
}

export function rejected(id: string, failureReason: FailureReason, { help }: Answered): Rejected {
  return { outcome: 'rejected', id, failureReason, ...(help !== undefined && { documentationUrl: help }) };
}

/** The answer to a status check, with the gateway's record; null if it is not one. */
export function readLookup({ status, body }: Answered): Found<Fields> | null {
  const said = fieldsOf(body);
  if (status !== 200) return null;
  if (said['status'] === 'NOT_FOUND') return { found: false };
  if (said['status'] !== 'FOUND' || typeof said['data'] !== 'object') return null;
  return { found: true, payment: fieldsOf(said['data']) };
}

/** A record proves that the gateway has the request. */
export function startedByRecord(kind: Kind, id: string, record: Fields): Started {
  return { outcome: 'accepted', id, created: String(record['created']), ...pick(record, kind.extras) };
}

export function readActionResult(id: string, answer: Answered): Acted | null {
  const { status, body } = answer;
  const reason = readReason(body);
  if (reason !== null && (status === 200 || status === 404)) return rejected(id, reason, answer);
  const said = fieldsOf(body)['status'];
  return said === 'ACCEPTED' || said === 'EXPIRED' ? { outcome: 'accepted', id } : null;
}

/**
 * The gateway refuses the client: token, scope, IP address. It says nothing about the request, which an earlier attempt
 * may have brought in.
 */
export function readRefusal(answer: Answered): MalipoError | null {
  const { status, body } = answer;
  const reason = readReason(body);
  if (reason === null || status < 400 || status === 400) return null;
  if (status === 403 && reason.failureCode !== 'AUTHORISATION_ERROR') return null;
  return failureError(reason, answer);
}

/** For an answer that is not the expected one. */
export function refusedAs(answer: Answered): MalipoError {
  const reason = readReason(answer.body);
  return reason === null ? unreadable(answer.status) : failureError(reason, answer);
}

export function failureError(
  { failureCode, failureMessage }: FailureReason,
  { status, help }: Answered,
): MalipoError {
  const whatToDo = WHAT_TO_DO[failureCode] ?? 'Fix what the message names and retry.';
  const facts = { code: failureCode, message: failureMessage, whatToDo, status };
  return new MalipoError({ ...facts, documentationUrl: help });
}

const WHAT_TO_DO: Readonly<Record<string, string>> = {
  AUTHENTICATION_ERROR:
    'Check the API token (API key), its environment (sandbox or production) and, if required, request signing.',
  AUTHORISATION_ERROR: 'Use an API token with the scope that the message names.',
  ROUTE_NOT_FOUND: 'Check baseUrl: it must be the URL of the gateway, without /v2.',
};

export function readReason(body: unknown): FailureReason | null {
  const { failureCode, failureMessage } = fieldsOf(fieldsOf(body)['failureReason']);
  if (typeof failureCode !== 'string' || typeof failureMessage !== 'string') return null;
  return { failureCode, failureMessage };
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function pick(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}
