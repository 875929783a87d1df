// The simulator's JSON in both directions. Pure. Whatever cannot be read with certainty is UNKNOWN; only a known status
// and code may end a payment.
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import type { Outcome, UnknownReason } from '../../domain/payments/outcome.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type {
  BalanceAnswer,
  HolderAnswer,
  NotificationReading,
  RawNotification,
  SubmitAnswer,
  SubmitRequest,
} from '../../connectors/port.ts';
import type { HttpAnswer } from '../../connectors/call.ts';
import { parseFailureCode } from './failures.ts';
import { parseObject, textOf, type JsonObject } from '../../connectors/json.ts';
import { isSignatureGenuine, SIGNATURE_HEADER } from './signature.ts';

/** Long enough for all answers of the protocol, short enough to store encrypted with each attempt. */
const EVIDENCE_TEXT_LENGTH_MAX = 1_000;

export function renderRequest(request: SubmitRequest): string {
  return JSON.stringify({
    reference: request.reference,
    operation: request.operation,
    provider: request.provider,
    country: request.country,
    amount: renderAmount(request.amount),
    currency: request.currency,
    phoneNumber: request.phoneNumber,
    message: request.customerMessage,
    oneTimeCode: request.preAuthorisationCode,
    successUrl: request.successfulUrl,
    failUrl: request.failedUrl,
    notificationUrl: request.notificationUrl,
  });
}

/** The answer to a submit. 409 only means that the reference is known; an enquiry finds its outcome. */
export function parseSubmitAnswer(answer: HttpAnswer, reference: string): SubmitAnswer {
  if (answer.httpStatus === 409 && codeOf(answer.text) === 'DUPLICATE_REFERENCE') {
    return { outcome: { type: 'PENDING' }, evidence: evidenceOf('submit', answer) };
  }
  return parseTransactionAnswer('submit', answer, reference);
}

/** The answer to an enquiry. Only the protocol's own NOT_FOUND counts: any proxy can send 404. */
export function parseStatusAnswer(answer: HttpAnswer, reference: string): SubmitAnswer {
  if (answer.httpStatus === 404 && codeOf(answer.text) === 'NOT_FOUND') {
    return { outcome: { type: 'NOT_SEEN' }, evidence: evidenceOf('query', answer) };
  }
  return parseTransactionAnswer('query', answer, reference);
}

/** An access token and its lifetime; zero means one request. */
export type Grant = { readonly token: string; readonly lifetimeMs: number };

export function parseTokenAnswer(answer: HttpAnswer): Grant | null {
  const grant = isSuccess(answer) ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = grant?.['expires_in'];
  if (token === undefined || typeof seconds !== 'number' || !(seconds >= 0)) return null;
  return { token, lifetimeMs: seconds * 1_000 };
}

export function parseBalanceAnswer(answer: HttpAnswer): BalanceAnswer {
  const amount = isSuccess(answer) ? parseSignedAmount(parseObject(answer.text)?.['balance']) : null;
  return amount === null ? { type: 'UNKNOWN' } : { type: 'BALANCE', amount };
}

export function parseHolderAnswer(answer: HttpAnswer): HolderAnswer {
  const holder = (isSuccess(answer) ? parseObject(answer.text) : null) ?? {};
  const status = (['ACTIVE', 'NOT_ACTIVE'] as const).find((one) => one === holder['status']) ?? 'UNKNOWN';
  return { status, name: textOf(holder['name']) ?? null };
}

/** A notification is a status message; without the simulator's signature it is only a hint. */
export function parseNotification(notification: RawNotification, secret: string): NotificationReading {
  const text = notification.body.toString('utf8');
  const message = parseObject(text);
  const reference = message?.['reference'];
  if (message === null || typeof reference !== 'string' || reference === '') return { type: 'UNREADABLE' };
  const header = notification.headers[SIGNATURE_HEADER];
  if (!isSignatureGenuine(notification.body, { secret, header })) return { type: 'HINT', reference };
  const evidence = JSON.stringify({ step: 'notification', body: shortened(text) });
  return { type: 'AUTHENTIC', reference, outcome: outcomeOf(message), evidence };
}

/** The evidence of a step without a readable answer. */
export function renderEvidence(step: string, said: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ step, ...said });
}

function evidenceOf(step: string, answer: HttpAnswer): string {
  return renderEvidence(step, { httpStatus: answer.httpStatus, body: shortened(answer.text) });
}

function parseTransactionAnswer(step: string, answer: HttpAnswer, reference: string): SubmitAnswer {
  const evidence = evidenceOf(step, answer);
  if (!isSuccess(answer)) return { outcome: unknown('OPERATOR_ERROR'), evidence };
  const transaction = parseObject(answer.text);
  if (transaction === null || transaction['reference'] !== reference) {
    return { outcome: unknown('UNREADABLE_ANSWER'), evidence };
  }
  const providerReference = textOf(transaction['transactionId']);
  const outcome = outcomeOf(transaction);
  return providerReference === undefined ? { outcome, evidence } : { outcome, providerReference, evidence };
}

function outcomeOf(transaction: JsonObject): Outcome {
  switch (transaction['status']) {
    case 'PENDING':
      return pendingOf(transaction);
    case 'SUCCESSFUL':
      return completedOf(transaction);
    case 'FAILED':
      return failedOf(transaction);
    default:
      return unknown(typeof transaction['status'] === 'string' ? 'UNMAPPED_CODE' : 'UNREADABLE_ANSWER');
  }
}

function pendingOf(transaction: JsonObject): Outcome {
  const authorizationUrl = textOf(transaction['authorizationUrl']);
  return authorizationUrl === undefined ? { type: 'PENDING' } : { type: 'PENDING', authorizationUrl };
}

/** A success must include the amount, so that it can be compared with the request. */
function completedOf(transaction: JsonObject): Outcome {
  const providerTransactionId = textOf(transaction['transactionId']);
  const amount = parseAmount(textOf(transaction['amount']) ?? '');
  const currency = textOf(transaction['currency']);
  const phoneNumber = textOf(transaction['phoneNumber']);
  if (providerTransactionId === undefined || amount === null) return unknown('UNREADABLE_ANSWER');
  if (currency === undefined || phoneNumber === undefined) return unknown('UNREADABLE_ANSWER');
  return { type: 'COMPLETED', providerTransactionId, moved: { amount, currency, phoneNumber } };
}

function failedOf(transaction: JsonObject): Outcome {
  const providerTransactionId = textOf(transaction['transactionId']);
  const operation = PAYMENT_KINDS.find((kind) => kind === transaction['operation']);
  const failureCode = transaction['failureCode'] ?? undefined;
  if (providerTransactionId === undefined || operation === undefined) return unknown('UNREADABLE_ANSWER');
  if (!isTextOrAbsent(failureCode)) return unknown('UNREADABLE_ANSWER');
  const code = parseFailureCode(failureCode, operation);
  return code === null ? unknown('UNMAPPED_CODE') : { type: 'FAILED', code, providerTransactionId };
}

/** The float may be overdrawn, so a balance may be negative. */
function parseSignedAmount(value: unknown): Amount | null {
  if (typeof value !== 'string') return null;
  const amount = parseAmount(value.replace(/^-/, ''));
  return amount !== null && value.startsWith('-') ? -amount : amount;
}

function codeOf(text: string): unknown {
  return parseObject(text)?.['code'];
}

function isSuccess(answer: HttpAnswer): boolean {
  return answer.httpStatus >= 200 && answer.httpStatus < 300;
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function shortened(text: string): string {
  return text.slice(0, EVIDENCE_TEXT_LENGTH_MAX);
}

function unknown(reason: UnknownReason): Outcome {
  return { type: 'UNKNOWN', reason };
}
