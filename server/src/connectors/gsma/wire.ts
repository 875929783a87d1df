// The standard's JSON in both directions. Pure. An answer is read by its format, not by its HTTP status alone: one
// operator answers with the state of the request, another with the transaction itself.
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { BalanceAnswer, NotificationReading, RawNotification, SubmitAnswer } from '../port.ts';
import type { StoredAttempt, SubmitRequest } from '../port.ts';
import type { Minted } from '../token-source.ts';
import { isError, parseError, type ErrorObject } from './failures.ts';
import { renderRemittance } from './remittance.ts';
import { outcomeWordOf } from './status-words.ts';

/** Identifies the host's own account. */
export type Party = { readonly key: string; readonly value: string };

/** The standard's default for texts. */
const TEXT_LENGTH_MAX = 256;

/** The body of a merchant payment, a disbursement or an international transfer. */
export function renderRequest(request: SubmitRequest, own: Party): string {
  const customer = { key: 'msisdn', value: `+${request.phoneNumber}` };
  const isTaken = request.operation === 'DEPOSIT';
  return JSON.stringify({
    ...renderMoney(request),
    debitParty: [isTaken ? customer : own],
    creditParty: [isTaken ? own : customer],
    ...(request.preAuthorisationCode === undefined ? {} : { oneTimeCode: request.preAuthorisationCode }),
    ...(request.operation === 'REMITTANCE' ? renderRemittance(request) : {}),
  });
}

/** The body of a reversal. The path names the transaction. */
export function renderReversal(request: SubmitRequest): string {
  return JSON.stringify({ type: 'reversal', ...renderMoney(request) });
}

function renderMoney({ amount, currency, customerMessage, reference }: SubmitRequest) {
  return {
    amount: renderAmount(amount),
    currency,
    descriptionText: customerMessage.slice(0, TEXT_LENGTH_MAX),
    requestingOrganisationTransactionReference: reference,
  };
}

/** A resource to ask for, stored as "requeststates/…" or "transactions/…". */
export type Resource = {
  readonly kind: 'requeststates' | 'transactions' | 'responses';
  readonly id: string;
};

/** What to ask for first: the resource named in the answer, or else the lost answer by our own reference. */
export function firstResourceOf({ providerReference = '', reference }: StoredAttempt): Resource {
  return resourceIn(providerReference) ?? { kind: 'responses', id: reference };
}

/**
 * The resource that a link names. Only its last two parts are used, so an answer cannot send our keys to another host.
 */
function resourceIn(link: string): Resource | null {
  const parts = /(?:^|\/)(requeststates|transactions)\/([^/?#]+)\/?$/i.exec(link);
  const kind = parts?.[1]?.toLowerCase() === 'transactions' ? 'transactions' : 'requeststates';
  return parts?.[2] === undefined ? null : { kind, id: parts[2] };
}

/** The length and characters that can be stored as a reference. Without a stored one, ours finds it. */
const KEEPABLE = /^[\w.:-]{1,200}$/;

function kept(kind: Resource['kind'], id: string | undefined): Pick<SubmitAnswer, 'providerReference'> {
  return id !== undefined && KEEPABLE.test(id) ? { providerReference: `${kind}/${id}` } : {};
}

/** The answer to a submit. `words` are the account's own status words. */
export function parseSubmitAnswer(answer: HttpAnswer, request: SubmitRequest, words: string): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  const body = parseObject(answer.text);
  if (answer.httpStatus >= 300) return { ...refusedOf(answer, request), evidence };
  if (textOf(body?.['serverCorrelationId']) !== undefined) {
    return {
      ...stateOf(body ?? {}, request),
      ...kept('requeststates', textOf(body?.['serverCorrelationId'])),
      evidence,
    };
  }
  if (body === null) return unknown('UNREADABLE_ANSWER', evidence);
  return {
    ...transactionOf(body, request, words),
    ...kept('transactions', textOf(body['transactionReference'])),
    evidence,
  };
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;

/**
 * A refused request. It ends the payment only with a mapped code and a 4xx status. After a 5xx the standard requires
 * the client to fetch the missed answer.
 */
function refusedOf(answer: HttpAnswer, { operation }: SubmitRequest): Reported {
  const error = errorOf(parseObject(answer.text));
  if (isError(error, 'duplicateRequest')) return { outcome: { type: 'PENDING' } };
  if (error === null || answer.httpStatus >= 500) return troubleOf(answer);
  return failedOf(error, operation) ?? { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
}

/** The state of an accepted request. A completed one still needs an enquiry for the amount. */
function stateOf(body: JsonObject, { operation }: SubmitRequest): Reported {
  switch (textOf(body['status'])?.toLowerCase()) {
    case 'pending':
    case 'completed':
      return { outcome: { type: 'PENDING' } };
    case 'failed':
      return endedOf(errorOf(body['errorReference']), operation);
    case undefined:
      return { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
    default:
      return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  }
}

/** Either the outcome, or the resource to ask for next. */
export type Enquired = SubmitAnswer | { readonly next: Resource };

export function parseEnquiry(
  resource: Resource,
  answer: HttpAnswer,
  { attempt, words }: { readonly attempt: StoredAttempt; readonly words: string },
): Enquired {
  const evidence = evidenceOf('query', answer);
  const body = parseObject(answer.text);
  // Only the standard's own error counts as not found: any proxy can send 404.
  const isNotFound = answer.httpStatus === 404 && isError(errorOf(body), 'identifierError');
  const byOurs: Enquired = { next: { kind: 'responses', id: attempt.reference } };
  if (isNotFound && resource.kind === 'responses') return { outcome: { type: 'NOT_SEEN' }, evidence };
  if (isNotFound && resource.kind === 'requeststates') return byOurs;
  if (answer.httpStatus >= 300) return { ...troubleOf(answer), evidence };
  if (body === null) return unknown('UNREADABLE_ANSWER', evidence);
  switch (resource.kind) {
    case 'responses': {
      const next = resourceIn(textOf(body['link']) ?? '');
      return next === null ? unknown('UNREADABLE_ANSWER', evidence) : { next };
    }
    case 'requeststates': {
      if (textOf(body['status'])?.toLowerCase() !== 'completed')
        return { ...stateOf(body, attempt), evidence };
      const id = textOf(body['objectReference']);
      return id === undefined ? byOurs : { next: { kind: 'transactions', id } };
    }
    case 'transactions':
      return { ...transactionOf(body, attempt, words), evidence };
  }
}

/** An answer that says nothing about the payment. Refused keys raise an alert for the host. */
function troubleOf({ httpStatus, text }: HttpAnswer): Reported {
  const outcome: Outcome = { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' };
  if (httpStatus !== 401 && httpStatus !== 403) return { outcome };
  return { outcome, alert: errorOf(parseObject(text))?.code ?? 'UNAUTHORISED' };
}

/** A transaction as the operator stores it. It has no failure reason. */
function transactionOf(body: JsonObject, request: SubmitRequest, words: string): Reported {
  const named = textOf(body['requestingOrganisationTransactionReference']) ?? request.reference;
  const status = textOf(body['transactionStatus']);
  if (status === undefined || named !== request.reference) return UNREADABLE;
  switch (outcomeWordOf(status, words)) {
    case 'completed':
      return completedOf(body, request);
    case 'pending':
      return { outcome: { type: 'PENDING' } };
    case 'failed':
      return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
    case null:
      return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  }
}

const UNREADABLE: Reported = { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };

/** A success must include the amount, so that it can be compared. Only a reversal may omit it. */
function completedOf(body: JsonObject, { operation }: SubmitRequest): Reported {
  const providerTransactionId = textOf(body['transactionReference']);
  const amount = amountOf(body['amount']);
  const currency = textOf(body['currency']);
  const isReported = amount !== null && currency !== undefined;
  if (providerTransactionId === undefined || (!isReported && operation !== 'REFUND')) return UNREADABLE;
  const phoneNumber = phoneNumberOf(body[operation === 'DEPOSIT' ? 'debitParty' : 'creditParty']);
  const moved = {
    ...(amount === null ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  };
  return { outcome: { type: 'COMPLETED', providerTransactionId, moved } };
}

/** Only a party in international format can be compared with our number. */
function phoneNumberOf(party: unknown): string | undefined {
  const named = (Array.isArray(party) ? party : []).filter(isObject).find(({ key }) => key === 'msisdn');
  return /^\+(\d+)$/.exec(textOf(named?.['value']) ?? '')?.[1];
}

/** The state is final, even with an unmapped error. The alert names the error. */
function endedOf(error: ErrorObject | null, operation: SubmitRequest['operation']): Reported {
  if (error === null) return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
  return failedOf(error, operation) ?? failedForUnmapped(error.code);
}

/** Null for an unmapped error. */
function failedOf(error: ErrorObject, operation: SubmitRequest['operation']): Reported | null {
  const meaning = parseError(error, operation);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: error.code } : { outcome };
}

/** Null if it is not the standard's error object. */
function errorOf(value: unknown): ErrorObject | null {
  if (!isObject(value)) return null;
  const category = textOf(value['errorCategory']);
  const code = textOf(value['errorCode']);
  return category === undefined || code === undefined ? null : { category, code };
}

/**
 * Whether an answer refuses the token. The standard also uses 401 for a payer who declined, and that request must not
 * be sent again.
 */
export function isTokenRefusal({ httpStatus, text }: HttpAnswer): boolean {
  const error = errorOf(parseObject(text));
  return httpStatus === 401 && (error === null || isError(error, 'clientAuthorisationError'));
}

export function parseTokenAnswer(answer: HttpAnswer): Minted {
  const grant = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = Number(grant?.['expires_in']);
  if (token === undefined || !(seconds > 0)) return { error: `NO_TOKEN_HTTP_${answer.httpStatus}` };
  return { token, lifetimeMs: seconds * 1_000 };
}

/** The available balance if the operator reports one, else the current balance. */
export function parseBalanceAnswer(answer: HttpAnswer, currency: string): BalanceAnswer {
  const body = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const amount = amountOf(body?.['availableBalance'] ?? body?.['currentBalance']);
  if (amount === null || (textOf(body?.['currency']) ?? currency) !== currency) return { type: 'UNKNOWN' };
  return { type: 'BALANCE', amount };
}

/** Only the secret address of a callback is authentic, so it only triggers an enquiry. */
export function readNotification(notification: RawNotification): NotificationReading {
  const { headers, pathReference, pathSecretIsGenuine } = notification;
  const reference = pathReference ?? headers['x-correlationid'];
  if (reference === undefined) return { type: 'UNREADABLE' };
  return pathSecretIsGenuine ? { type: 'HINT', reference } : { type: 'HINT', reference, isForged: true };
}
