// Wave's JSON in both directions. Pure. An open checkout session can still be paid, whatever failed before. Only a
// session that ended without a payment is final, and only then is its last error looked up.
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, evidenceOfMessage, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { BalanceAnswer, NotificationReading, RawNotification, SubmitAnswer } from '../port.ts';
import type { StoredAttempt, SubmitRequest } from '../port.ts';
import { isTimedSignature } from '../timed-signature.ts';
import { parseCode } from './failures.ts';

/** Wave signs time and body without a separator. */
export const SEPARATOR = '';

/** The body of a submit. Only the named wallet can pay it. */
export function renderRequest(request: SubmitRequest): string {
  const { amount, currency, reference, phoneNumber } = request;
  if (request.operation === 'DEPOSIT') {
    return JSON.stringify({
      amount: renderAmount(amount),
      currency,
      success_url: request.successfulUrl,
      error_url: request.failedUrl,
      client_reference: reference,
      restrict_payer_mobile: `+${phoneNumber}`,
    });
  }
  return JSON.stringify({
    currency,
    receive_amount: renderAmount(amount),
    mobile: `+${phoneNumber}`,
    client_reference: reference,
    payment_reason: reasonOf(request),
  });
}

const REASON_LENGTH_MAX = 40;

/** The customer's message, cut to Wave's maximum length. */
export function reasonOf({ customerMessage }: SubmitRequest): string {
  return customerMessage.slice(0, REASON_LENGTH_MAX).trim();
}

/** The answer to a submit. A refusal ends the payment only with a mapped code of Wave's. */
export function parseSubmitAnswer(answer: HttpAnswer, request: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  const body = parseObject(answer.text);
  if (answer.httpStatus >= 300) return { ...refusalOf(body, request), evidence };
  const id = textOf(body?.['id']);
  if (body === null || id === undefined) return unknown('UNREADABLE_ANSWER', evidence);
  return { ...reportedBy(body, request), evidence, providerReference: id };
}

/** The answer to a refund has no body. The session identifies it, even if the answer was lost. */
export function parseRefundAnswer(answer: HttpAnswer, request: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  if (answer.httpStatus >= 300) return { ...refusalOf(parseObject(answer.text), request), evidence };
  const isEmpty = answer.text.trim() === '' || parseObject(answer.text) !== null;
  return isEmpty ? { outcome: { type: 'COMPLETED' }, evidence } : unknown('UNREADABLE_ANSWER', evidence);
}

/** The answer to an enquiry: one session or payout by its id, or the list of those with our reference. */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  const body = parseObject(answer.text);
  if (answer.httpStatus >= 300) {
    const { alert } = refusalOf(body, attempt);
    return { ...unknown('OPERATOR_ERROR', evidence), ...(alert === undefined ? {} : { alert }) };
  }
  if (body === null) return unknown('UNREADABLE_ANSWER', evidence);
  if (attempt.operation === 'REFUND') return { ...reportedOfRefund(body), evidence };
  const found = foundIn(body) ?? [body];
  return { ...clearest(found.map((one) => reportedBy(one, attempt))), evidence };
}

/** The sessions or payouts of a search; null if the answer is not a list. */
function foundIn(body: JsonObject): readonly JsonObject[] | null {
  const { result } = body;
  return Array.isArray(result) ? result.filter(isObject) : null;
}

/** The id of the paid session of a deposit. */
export function paidSessionIn({ httpStatus, text }: HttpAnswer): string | undefined {
  const found = foundIn((httpStatus === 200 ? parseObject(text) : null) ?? {}) ?? [];
  return textOf(found.find((one) => one['payment_status'] === 'succeeded')?.['id']);
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;

const UNREADABLE: Reported = { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
const UNMAPPED: Reported = { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };

/** Of several sessions with one reference, the paid one wins, then an open one. */
function clearest(reported: readonly Reported[]): Reported {
  const request = ['COMPLETED', 'PENDING', 'UNKNOWN', 'FAILED'];
  const [first] = reported.toSorted(
    (a, b) => request.indexOf(a.outcome.type) - request.indexOf(b.outcome.type),
  );
  return first ?? { outcome: { type: 'NOT_SEEN' } };
}

function reportedBy(body: JsonObject, { operation, reference }: SubmitRequest): Reported {
  if (textOf(body['client_reference']) !== reference) return UNREADABLE;
  return operation === 'DEPOSIT' ? reportedBySession(body) : reportedByPayout(body);
}

function reportedBySession(body: JsonObject): Reported {
  const payment = textOf(body['payment_status']);
  const checkout = textOf(body['checkout_status']);
  if (payment === undefined || checkout === undefined) return UNREADABLE;
  if (payment === 'succeeded') return completed(body, { receipt: 'transaction_id', amount: 'amount' });
  const isKnown = ['processing', 'cancelled'].includes(payment);
  if (!isKnown || !['open', 'complete', 'expired'].includes(checkout)) return UNMAPPED;
  if (checkout === 'open' || payment === 'processing') return { outcome: awaitingPayer(body) };
  const error = body['last_payment_error'];
  const code = textOf(isObject(error) ? error['code'] : undefined);
  // Unpaid, and it can no longer be paid.
  if (code === undefined) return { outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } };
  return failed(code, 'DEPOSIT') ?? failedForUnmapped(code);
}

function awaitingPayer(body: JsonObject): Outcome {
  const authorizationUrl = textOf(body['wave_launch_url']);
  const expires = Date.parse(textOf(body['when_expires']) ?? '');
  return {
    type: 'PENDING',
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(Number.isNaN(expires) ? {} : { authorizationExpiresAt: new Date(expires) }),
  };
}

function reportedByPayout(body: JsonObject): Reported {
  switch (textOf(body['status'])) {
    case 'processing':
      return { outcome: { type: 'PENDING' } };
    case 'succeeded':
      return completed(body, { receipt: 'id', amount: 'receive_amount' });
    case 'failed': {
      const error = body['payout_error'];
      const code = textOf(isObject(error) ? error['error_code'] : undefined);
      return code === undefined
        ? { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } }
        : (failed(code, 'PAYOUT') ?? failedForUnmapped(code));
    }
    case 'reversed':
      // The host reversed it: the recipient does not have it; amount and fee are back in our wallet.
      return { outcome: { type: 'FAILED', code: 'OTHER_ERROR' } };
    case undefined:
      return UNREADABLE;
    default:
      return UNMAPPED;
  }
}

/** A session can be refunded once, as a whole, so a refunded session means that this refund is done. */
function reportedOfRefund(body: JsonObject): Reported {
  const at = body['when_refunded'];
  if (at === null) return { outcome: { type: 'NOT_SEEN' } };
  return textOf(at) === undefined ? UNREADABLE : { outcome: { type: 'COMPLETED' } };
}

/** A success must include the amount, so that it can be compared with the request. */
function completed(
  body: JsonObject,
  fields: { readonly receipt: string; readonly amount: string },
): Reported {
  const providerTransactionId = textOf(body[fields.receipt]);
  const amount = amountOf(body[fields.amount]);
  const currency = textOf(body['currency']);
  if (providerTransactionId === undefined || amount === null || currency === undefined) return UNREADABLE;
  const mobile = /^\+(\d+)$/.exec(textOf(body['mobile']) ?? '')?.[1];
  const moved = { amount, currency, ...(mobile === undefined ? {} : { phoneNumber: mobile }) };
  return { outcome: { type: 'COMPLETED', providerTransactionId, moved } };
}

/** Null for an unmapped code. */
function failed(code: string, operation: SubmitRequest['operation']): Reported | null {
  const meaning = parseCode(code, operation);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: code } : { outcome };
}

/** A refused request. Without a mapped code it is unknown who refused it. */
function refusalOf(body: JsonObject | null, { operation }: SubmitRequest): Reported {
  const reported = failed(textOf(body?.['code']) ?? textOf(body?.['error_code']) ?? '', operation);
  return reported ?? { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
}

export function parseBalanceAnswer(answer: HttpAnswer, currency: string): BalanceAnswer {
  const body = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const amount = amountOf(body?.['amount']);
  if (amount === null || textOf(body?.['currency']) !== currency) return { type: 'UNKNOWN' };
  return { type: 'BALANCE', amount };
}

/** Only a signed success counts: after a failed payment the payer can try again. */
export function readNotification(
  notification: RawNotification,
  webhookSecret: string | undefined,
): NotificationReading {
  const { body, headers } = notification;
  const data = parseObject(body.toString('utf8'))?.['data'];
  const reference = referenceIn(notification);
  if (!isObject(data) || reference === undefined) return { type: 'UNREADABLE' };
  const key = { secret: webhookSecret ?? '', separator: SEPARATOR };
  if (!isTimedSignature(body, { ...key, header: headers['wave-signature'] })) {
    return { type: 'HINT', reference, isForged: true };
  }
  const { outcome } = reportedBySession(data);
  if (outcome.type !== 'COMPLETED') return { type: 'HINT', reference };
  return { type: 'AUTHENTIC', reference, outcome, evidence: evidenceOfMessage(body) };
}

/** The payment that a message names, before it is authenticated. */
export function referenceIn({ body }: RawNotification): string | undefined {
  const data = parseObject(body.toString('utf8'))?.['data'];
  return isObject(data) ? textOf(data['client_reference']) : undefined;
}
