// MTN's JSON in both directions. Pure. The status is consulted before the reason: a reason alone ends nothing, and a
// status that is FAILED is an end unless its reason says otherwise.
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { BalanceAnswer, NotificationReading, RawNotification, SubmitAnswer } from '../port.ts';
import type { RefundSubmitRequest, StoredAttempt, SubmitRequest } from '../port.ts';
import type { Minted } from '../token-source.ts';
import { parseReason } from './failures.ts';

/** The body of a request to pay or of a transfer. Our reference is also the only thing of ours a callback tells. */
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

/** Apostrophes and other special characters can be answered with a 400, so only plain ones go out. */
function renderNotes({ customerMessage }: SubmitRequest) {
  const note = customerMessage
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9 .,-]/g, ' ')
    .slice(0, NOTE_LENGTH_MAX);
  return { payerMessage: note, payeeNote: note };
}

/**
 * The answer to a request. It is accepted with 202 and nothing else; 409 says that the reference is known. A refusal
 * ends the payment only with a word we know, because the same status comes from every proxy on the way.
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
  // At this point the catch-all means that the platform is away, and not that the payment ended.
  const isCatchAll = code === undefined || code === 'INTERNAL_PROCESSING_ERROR';
  const meaning = isCatchAll ? null : parseReason(code, operation);
  if (meaning?.type !== 'FAILED')
    return withAlert(unknown('OPERATOR_ERROR', evidence), forbiddenWord(answer));
  const failed: SubmitAnswer = { outcome: { type: 'FAILED', code: meaning.code }, evidence };
  return withAlert(failed, meaning.isAlert === true ? code : undefined);
}

/** The answer to an enquiry. Only MTN's own word counts as not found: any proxy can say 404. */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  const body = parseObject(answer.text);
  if (answer.httpStatus === 404 && /^(RESOURCE|TRANSACTION)_NOT_FOUND$/.test(textOf(body?.['code']) ?? '')) {
    return { outcome: { type: 'NOT_SEEN' }, evidence };
  }
  if (answer.httpStatus >= 300) return withAlert(unknown('OPERATOR_ERROR', evidence), forbiddenWord(answer));
  if (body === null || (textOf(body['externalId']) ?? attempt.reference) !== attempt.reference) {
    return unknown('UNREADABLE_ANSWER', evidence);
  }
  return { ...outcomeOf(body, attempt), evidence };
}

/** A caller whose address MTN does not list is answered 403; only the host can have it listed. */
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

/** A success must say what it moved, or no one could compare it with what we asked for. A refund names no party. */
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

/** The schema has a text where some answers carry a number. One too large to be exact is no identifier. */
function identifierOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/**
 * The schema has an object with a code where real answers carry a bare text. The status is an end, also with a reason
 * that is in no table: then somebody should look at the word.
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

/** Nothing about a callback is authentic but the address it came to, so it only makes us ask. */
export function readNotification(notification: RawNotification): NotificationReading {
  const { body, pathReference, pathSecretIsGenuine } = notification;
  const reference = pathReference ?? textOf(parseObject(body.toString('utf8'))?.['externalId']);
  if (reference === undefined) return { type: 'UNREADABLE' };
  return pathSecretIsGenuine ? { type: 'HINT', reference } : { type: 'HINT', reference, isForged: true };
}
