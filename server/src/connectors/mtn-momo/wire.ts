// MTN's JSON in both directions. Pure. The status comes first: a reason alone ends nothing, and the status FAILED is
// final unless its reason says otherwise.
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, nameOf, parseObject, textOf, type JsonObject } from '../json.ts';
import type {
  BalanceAnswer,
  HolderAnswer,
  NotificationReading,
  RawNotification,
  SubmitAnswer,
} from '../port.ts';
import type { RefundSubmitRequest, StoredAttempt, SubmitRequest } from '../port.ts';
import type { Minted } from '../token-source.ts';
import { parseReason } from './failures.ts';

/** The body of a request to pay or a transfer. Our reference is the only field of ours that a callback repeats. */
export function renderRequest(request: SubmitRequest): string {
  const party = { partyIdType: 'MSISDN', partyId: request.phoneNumber };
  return JSON.stringify({
    amount: renderAmount(request.amount),
    currency: request.currency,
    externalId: request.reference,
    ...(request.operation === 'DEPOSIT' ? { payer: party } : { payee: party }),
    ...renderNotes(request),
  });
}

export function renderRefund(request: RefundSubmitRequest): string {
  return JSON.stringify({
    amount: renderAmount(request.amount),
    currency: request.currency,
    externalId: request.reference,
    ...renderNotes(request),
    referenceIdToRefund: request.original.reference,
  });
}

const NOTE_LENGTH_MAX = 160;

/** MTN may answer 400 to apostrophes and other special characters, so only plain ones are sent. */
function renderNotes({ customerMessage }: SubmitRequest) {
  const note = customerMessage
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9 .,-]/g, ' ')
    .slice(0, NOTE_LENGTH_MAX);
  return { payerMessage: note, payeeNote: note };
}

/**
 * The answer to a submit. Only 202 means accepted; 409 means that MTN already has the reference. A refusal ends the
 * payment only with a mapped reason, because any proxy can send the same HTTP status.
 */
export function parseSubmitAnswer(answer: HttpAnswer, { operation }: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  const { httpStatus } = answer;
  if (httpStatus === 202) return { outcome: { type: 'PENDING' }, evidence };
  const code = textOf(parseObject(answer.text)?.['code']);
  if (httpStatus === 409 && code === 'RESOURCE_ALREADY_EXIST') {
    return { outcome: { type: 'PENDING' }, evidence };
  }
  if (httpStatus < 300) return unknown('UNREADABLE_ANSWER', evidence);
  // Here the catch-all means that the platform is down, not that the payment failed.
  const isCatchAll = code === undefined || code === 'INTERNAL_PROCESSING_ERROR';
  const meaning = isCatchAll ? null : parseReason(code, operation);
  if (meaning?.type !== 'FAILED')
    return withAlert(unknown('OPERATOR_ERROR', evidence), forbiddenWord(answer));
  const failed: SubmitAnswer = { outcome: { type: 'FAILED', code: meaning.code }, evidence };
  return withAlert(failed, meaning.isAlert === true ? code : undefined);
}

/** The answer to an enquiry. */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  const body = parseObject(answer.text);
  if (isNotFound(answer)) {
    return { outcome: { type: 'NOT_SEEN' }, evidence };
  }
  if (answer.httpStatus >= 300) return withAlert(unknown('OPERATOR_ERROR', evidence), forbiddenWord(answer));
  if (body === null || (textOf(body['externalId']) ?? attempt.reference) !== attempt.reference) {
    return unknown('UNREADABLE_ANSWER', evidence);
  }
  return { ...outcomeOf(body, attempt), evidence };
}

/** Only MTN's own error counts: any proxy can send 404. */
function isNotFound({ httpStatus, text }: HttpAnswer): boolean {
  const code = textOf(parseObject(text)?.['code']) ?? '';
  return httpStatus === 404 && /^(RESOURCE|TRANSACTION)_NOT_FOUND$/.test(code);
}

/** MTN answers 403 if our IP address is not on its list. Only the host can fix that. */
function forbiddenWord({ httpStatus }: HttpAnswer): string | undefined {
  return httpStatus === 403 ? 'FORBIDDEN' : undefined;
}

function withAlert(answer: SubmitAnswer, alert: string | undefined): SubmitAnswer {
  return alert === undefined ? answer : { ...answer, alert };
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;

function outcomeOf(body: JsonObject, { operation }: SubmitRequest): Reported {
  switch (textOf(body['status'])) {
    case 'PENDING':
    case 'CREATED':
      return { outcome: { type: 'PENDING' } };
    case 'SUCCESSFUL':
      return { outcome: completedOf(body) };
    case 'FAILED':
      return failedOf(body, operation);
    case undefined:
      return { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
    default:
      return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  }
}

/** A success must include the amount, so that it can be compared with the request. A refund names no party. */
function completedOf(body: JsonObject): Outcome {
  const providerTransactionId = identifierOf(body['financialTransactionId']);
  const amount = amountOf(body['amount']);
  const currency = textOf(body['currency']);
  if (providerTransactionId === undefined || amount === null || currency === undefined) {
    return { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' };
  }
  const party = [body['payer'], body['payee']].find(isObject);
  const phoneNumber = textOf(party?.['partyId']);
  const moved = { amount, currency, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  return { type: 'COMPLETED', providerTransactionId, moved };
}

/** Documented as a string, but some answers have a number. A number too large to be exact is not an identifier. */
function identifierOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/**
 * Documented as an object with a code, but real answers have a string. The status is final even with an unmapped
 * reason; the alert names it.
 */
function failedOf(body: JsonObject, operation: SubmitRequest['operation']): Reported {
  const { reason } = body;
  const code = isObject(reason) ? textOf(reason['code']) : textOf(reason);
  if (code === undefined) {
    return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
  }
  const meaning = parseReason(code, operation);
  if (meaning === null) return failedForUnmapped(code);
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: code } : { outcome };
}

export function parseTokenAnswer(answer: HttpAnswer): Minted {
  const grant = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = Number(grant?.['expires_in']);
  if (token === undefined || !(seconds > 0)) return { error: `NO_TOKEN_HTTP_${answer.httpStatus}` };
  return { token, lifetimeMs: seconds * 1_000 };
}

export function parseBalanceAnswer(answer: HttpAnswer, currency: string): BalanceAnswer {
  const body = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const amount = amountOf(body?.['availableBalance']);
  if (amount === null || textOf(body?.['currency']) !== currency) return { type: 'UNKNOWN' };
  return { type: 'BALANCE', amount };
}

/** Whether the account of a number is active. */
export function parseActiveAnswer(answer: HttpAnswer): HolderAnswer['status'] {
  if (isNotFound(answer)) return 'NOT_ACTIVE';
  const { result } = (answer.httpStatus === 200 ? parseObject(answer.text) : null) ?? {};
  if (typeof result !== 'boolean') return 'UNKNOWN';
  return result ? 'ACTIVE' : 'NOT_ACTIVE';
}

/** The name in an account holder's basic information. */
export function parseNameAnswer(answer: HttpAnswer): string | null {
  const info = (answer.httpStatus === 200 ? parseObject(answer.text) : null) ?? {};
  return nameOf(info['given_name'], info['family_name']) ?? nameOf(info['name']);
}

/** Only the secret address of a callback is authentic, so it only triggers an enquiry. */
export function readNotification(notification: RawNotification): NotificationReading {
  const { body, pathReference, pathSecretIsGenuine } = notification;
  const reference = pathReference ?? textOf(parseObject(body.toString('utf8'))?.['externalId']);
  if (reference === undefined) return { type: 'UNREADABLE' };
  return pathSecretIsGenuine ? { type: 'HINT', reference } : { type: 'HINT', reference, isForged: true };
}
